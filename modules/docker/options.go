package docker

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// Options are what a container is to be like. The tag docker says where the daemon has it, and how it is written.
type Options struct {
	Command     value.Value `arg:"command,text" alias:"cmd" docker:"Config.Cmd words" doc:"The command and its arguments."`
	Entrypoint  value.Value `arg:"entrypoint,text" docker:"Config.Entrypoint words" doc:"What the command is given to."`
	Environment value.Value `arg:"environment,env" alias:"env" docker:"Config.Env env" doc:"Variables: a map, or a list of NAME=TEXT."`
	Hostname    value.Value `arg:"hostname" docker:"Config.Hostname text" doc:"The name of the host."`
	Domainname  value.Value `arg:"domainname" docker:"Config.Domainname text" doc:"The domain of the host."`
	User        value.Value `arg:"user" docker:"Config.User text" doc:"Who runs the command."`
	WorkingDir  value.Value `arg:"working_dir" alias:"workdir" docker:"Config.WorkingDir text" doc:"Where it runs."`
	Labels      value.Value `arg:"labels,text" alias:"label" docker:"Config.Labels map" doc:"Labels: a map, or a list of NAME=TEXT."`
	Tty         value.Value `arg:"tty" docker:"Config.Tty bool" doc:"Gives it a terminal."`
	Stdin       value.Value `arg:"stdin_open" alias:"interactive" docker:"Config.OpenStdin bool" doc:"Keeps its standard input open."`
	StopSignal  value.Value `arg:"stop_signal" docker:"Config.StopSignal text" doc:"The signal that stops it."`
	StopTimeout value.Value `arg:"stop_timeout" docker:"Config.StopTimeout int" doc:"How long it may take to stop."`
	MAC         value.Value `arg:"mac_address" docker:"Config.MacAddress text" doc:"Its hardware address."`
	NoNetwork   value.Value `arg:"network_disabled" docker:"Config.NetworkDisabled bool" doc:"Without network."`
	Ports       value.Value `arg:"ports" alias:"expose" docker:"Config.ExposedPorts ports" doc:"Ports that it offers: '80,53/udp,8000-8010'."`
	Volumes     value.Value `arg:"volumes" alias:"volume" docker:"Config.Volumes set" doc:"Paths that are volumes."`
	Health      value.Value `arg:"healthcheck,text" docker:"Config.Healthcheck any" doc:"How its health is checked, as the API of Docker has it."`

	Binds        value.Value `arg:"binds" docker:"HostConfig.Binds texts" doc:"Paths of the machine that it sees: '/srv/a:/a:ro'."`
	PortBindings value.Value `arg:"port_bindings" alias:"publish" docker:"HostConfig.PortBindings bindings" doc:"Ports of the machine that lead to its own: '8080:80,127.0.0.1:53:53/udp'."`
	PublishAll   value.Value `arg:"publish_all_ports" alias:"publish_all" docker:"HostConfig.PublishAllPorts bool" doc:"All ports get one of the machine."`
	NetworkMode  value.Value `arg:"network_mode" docker:"HostConfig.NetworkMode text" doc:"Its network: bridge, host, none, container:NAME or a network."`
	Restart      value.Value `arg:"restart_policy" alias:"restart" docker:"HostConfig.RestartPolicy restart" doc:"When it is started again: always, unless-stopped, on-failure:5, no."`
	Privileged   value.Value `arg:"privileged" docker:"HostConfig.Privileged bool" doc:"Lets it do all that root may."`
	CapAdd       value.Value `arg:"cap_add" docker:"HostConfig.CapAdd caps" doc:"Capabilities that it gets."`
	CapDrop      value.Value `arg:"cap_drop" docker:"HostConfig.CapDrop caps" doc:"Capabilities that it loses."`
	DNS          value.Value `arg:"dns" docker:"HostConfig.Dns texts" doc:"Its name servers."`
	DNSOpt       value.Value `arg:"dns_opt" alias:"dns_option" docker:"HostConfig.DnsOptions texts" doc:"Options of its resolver."`
	DNSSearch    value.Value `arg:"dns_search" docker:"HostConfig.DnsSearch texts" doc:"Domains that it searches."`
	ExtraHosts   value.Value `arg:"extra_hosts" alias:"add_host" docker:"HostConfig.ExtraHosts hosts" doc:"Names of hosts: 'db:10.0.0.1', or a map."`
	Links        value.Value `arg:"links" alias:"link" docker:"HostConfig.Links hosts" doc:"Containers that it knows by a name: 'db:alias'."`
	LogDriver    value.Value `arg:"log_driver" docker:"HostConfig.LogConfig.Type text" doc:"Where its output goes."`
	LogOpt       value.Value `arg:"log_opt,text" docker:"HostConfig.LogConfig.Config map" doc:"Options of the log driver."`
	Memory       value.Value `arg:"mem_limit" alias:"memory" docker:"HostConfig.Memory size" doc:"The memory that it may use: 512m."`
	MemorySwap   value.Value `arg:"memswap_limit" alias:"memory_swap" docker:"HostConfig.MemorySwap size" doc:"Memory and swap that it may use; -1 for any."`
	Reservation  value.Value `arg:"mem_reservation" docker:"HostConfig.MemoryReservation size" doc:"The memory that is kept for it."`
	Swappiness   value.Value `arg:"mem_swappiness" docker:"HostConfig.MemorySwappiness int" doc:"How readily its memory is swapped."`
	ShmSize      value.Value `arg:"shm_size" docker:"HostConfig.ShmSize size" doc:"The size of /dev/shm."`
	CPUShares    value.Value `arg:"cpu_shares" docker:"HostConfig.CpuShares int" doc:"Its share of the processors."`
	CPUPeriod    value.Value `arg:"cpu_period" docker:"HostConfig.CpuPeriod int" doc:"The period of its quota, in microseconds."`
	CPUQuota     value.Value `arg:"cpu_quota" docker:"HostConfig.CpuQuota int" doc:"Its time in each period, in microseconds."`
	CPUSet       value.Value `arg:"cpuset_cpus" alias:"cpuset" docker:"HostConfig.CpusetCpus text" doc:"The processors that it may use."`
	CPUMems      value.Value `arg:"cpuset_mems" docker:"HostConfig.CpusetMems text" doc:"The memory nodes that it may use."`
	BlkioWeight  value.Value `arg:"blkio_weight" docker:"HostConfig.BlkioWeight int" doc:"Its share of the disks, 10 to 1000."`
	OOMDisable   value.Value `arg:"oom_kill_disable" docker:"HostConfig.OomKillDisable bool" doc:"It is not killed where memory is short."`
	OOMScore     value.Value `arg:"oom_score_adj" docker:"HostConfig.OomScoreAdj int" doc:"How readily it is killed where memory is short."`
	PIDs         value.Value `arg:"pids_limit" docker:"HostConfig.PidsLimit int" doc:"How many processes it may have."`
	PIDMode      value.Value `arg:"pid_mode" docker:"HostConfig.PidMode text" doc:"Whose processes it sees: host."`
	IPCMode      value.Value `arg:"ipc_mode" alias:"ipc" docker:"HostConfig.IpcMode text" doc:"Whose memory it shares."`
	UTSMode      value.Value `arg:"uts_mode" docker:"HostConfig.UTSMode text" doc:"Whose host name it has: host."`
	UserNS       value.Value `arg:"userns_mode" alias:"user_ns_mode" docker:"HostConfig.UsernsMode text" doc:"Whose accounts it has: host."`
	ReadOnly     value.Value `arg:"read_only" docker:"HostConfig.ReadonlyRootfs bool" doc:"It cannot write to its root."`
	SecurityOpt  value.Value `arg:"security_opt" alias:"security_opts" docker:"HostConfig.SecurityOpt texts" doc:"Options of security."`
	Tmpfs        value.Value `arg:"tmpfs" docker:"HostConfig.Tmpfs tmpfs" doc:"Paths in memory, with options: '/run: rw,size=1m'."`
	Sysctls      value.Value `arg:"sysctls" alias:"sysctl" docker:"HostConfig.Sysctls map" doc:"Its kernel settings."`
	StorageOpt   value.Value `arg:"storage_opt" docker:"HostConfig.StorageOpt map" doc:"Options of its storage."`
	Ulimits      value.Value `arg:"ulimits" alias:"ulimit" docker:"HostConfig.Ulimits ulimits" doc:"Its limits: 'nofile=1024:2048'."`
	Devices      value.Value `arg:"devices" alias:"device" docker:"HostConfig.Devices devices" doc:"Devices that it sees: '/dev/fuse:/dev/fuse:rwm'."`
	GroupAdd     value.Value `arg:"group_add" docker:"HostConfig.GroupAdd texts" doc:"More groups of who runs the command."`
	VolumesFrom  value.Value `arg:"volumes_from" docker:"HostConfig.VolumesFrom texts" doc:"Containers whose volumes it sees."`
	VolumeDriver value.Value `arg:"volume_driver" docker:"HostConfig.VolumeDriver text" doc:"What makes its volumes."`
	CgroupParent value.Value `arg:"cgroup_parent" docker:"HostConfig.CgroupParent text" doc:"The control group that it is in."`
	AutoRemove   value.Value `arg:"auto_remove" alias:"rm" docker:"HostConfig.AutoRemove bool" doc:"It is removed when it ends."`
	Init         value.Value `arg:"init" docker:"HostConfig.Init bool" doc:"An init runs the command."`
	Runtime      value.Value `arg:"runtime" docker:"HostConfig.Runtime text" doc:"The runtime."`
}

// A setting is an option where the daemon has it. value is nil where it is not given.
type setting struct {
	arg, part, key, kind string
	value                value.Value
}

// settings are all options, those that are not given too.
func (o *Options) settings() ([]setting, error) {
	v := reflect.ValueOf(o).Elem()
	out := make([]setting, 0, v.NumField())
	for i := range v.NumField() {
		tag := v.Type().Field(i).Tag
		where, kind, _ := strings.Cut(tag.Get("docker"), " ")
		part, key, _ := strings.Cut(where, ".")
		arg, _, _ := strings.Cut(tag.Get("arg"), ",")
		s := setting{arg: arg, part: part, key: key, kind: kind}
		if given, ok := v.Field(i).Interface().(value.Value); ok && given != nil {
			var err error
			if s.value, err = convert(kind, given); err != nil {
				return nil, fmt.Errorf("%s: %w", s.arg, err)
			}
		}
		out = append(out, s)
	}
	return out, nil
}

// validate finds options that mean nothing.
func (o *Options) validate() (out []modules.Fault) {
	if _, err := o.settings(); err != nil {
		arg, msg, _ := strings.Cut(err.Error(), ": ")
		out = append(out, modules.Fault{Arg: arg, Msg: arg + " " + msg})
	}
	return out
}
