package compile

import (
	"path"
	"strings"

	"github.com/gostate/gostate/sls/puppet/types"

	"github.com/gostate/gostate/sls/puppet/syntax"
)

// nativeTypes are the resource types that Puppet brings, and those of the modules that come with its packages.
func nativeTypes() []string {
	return strings.Fields(`augeas component cron exec file filebucket group host interface k5login macauthorization mailalias
		maillist mcx mount nagios_command nagios_contact nagios_contactgroup nagios_host nagios_hostdependency
		nagios_hostescalation nagios_hostextinfo nagios_hostgroup nagios_service nagios_servicedependency
		nagios_serviceescalation nagios_serviceextinfo nagios_servicegroup nagios_timeperiod notify package resources router
		schedule scheduled_task selboolean selmodule service ssh_authorized_key sshkey stage tidy user vlan whit yumrepo zfs
		zone zpool node class`)
}

// native_ says whether there is a resource type of the name: Puppet's, or one in Ruby in a module.
func (c *Compiler) native_(name string) bool {
	if len(c.native) == 0 {
		for _, n := range nativeTypes() {
			c.native[n] = true
		}
	}
	known, asked := c.native[name]
	if !asked {
		for _, dir := range c.allModules() {
			if _, err := c.opts.Read(path.Join(dir, "lib/puppet/type", name+".rb")); err == nil {
				known = true
				break
			}
		}
		c.native[name] = known
	}
	return known
}

// stateType is the type of references to states that stand beside the manifests: State['service: web'].
const stateType = "state"

// isState says whether a reference is one to a state beside the manifests.
func (c *Compiler) isState(t *types.Type) bool {
	return c.opts.Beside && t.Kind == "Resource" && strings.EqualFold(t.Text, stateType)
}

// resourceTypeExists says whether a reference can name resources.
func (c *Compiler) resourceTypeExists(name string) bool {
	name = strings.ToLower(name)
	if name == "class" || c.native_(name) || c.opts.Beside && name == stateType {
		return true
	}
	d := c.findClass(name)
	return d != nil && d.class.Define
}

// checkNative refuses parameters that a native type does not have, as far as these are known here.
func (c *Compiler) checkNative(r *Resource, at syntax.Pos) {
	if r.Kind != "" {
		return
	}
	known := nativeParams(strings.ToLower(r.Type))
	if known == "" {
		return
	}
	for k := range r.Params.All() {
		name := k.(string)
		if metaParam(name) || strings.Contains(" "+known+" ", " "+name+" ") {
			continue
		}
		c.plainly("no parameter named '%s' (file: %s, line: %d) on %s", name, c.file, at.Line, r.Ref())
	}
}

// dropName takes out the parameter that names a native resource where it says what the title says.
func (r *Resource) dropName() {
	if r.scope == nil {
		return // the compiler's own
	}
	for _, name := range []string{"name", nameParam(r.Type)} {
		if v, ok := r.Params.Get(name); ok && v == r.Title {
			r.Params.Delete(name)
		}
	}
	if path := r.keyName(); r.Type == "File" && path != r.Title {
		r.Params.Set("path", path) // the title of a file is its path without slashes at its end
	}
}

// nameParam is the parameter that names a resource of a type, where it is not called name.
func nameParam(typeName string) string {
	switch typeName {
	case "File", "Tidy", "Concat_file", "Vcsrepo", "Archive":
		return "path"
	case "Exec":
		return "command"
	}
	return "name"
}

// nativeParams are the parameters of a type, "" for one of which they are not known.
func nativeParams(typeName string) string {
	switch typeName {
	case "file":
		return "backup checksum checksum_value content ctime ensure force group ignore links max_files mode mtime name " +
			"owner path " +
			"provider purge recurse recurselimit replace selinux_ignore_defaults selrange selrole seltype seluser show_diff " +
			"source " +
			"source_permissions sourceselect staging_location target type validate_cmd validate_replacement"
	case "package":
		return "adminfile allow_virtual allowcdrom category command configfiles description enable_only ensure flavor " +
			"install_only install_options instance mark name package_settings platform provider reinstall_on_refresh " +
			"responsefile " +
			"root source status uninstall_options vendor"
	case "service":
		return "binary control enable ensure flags hasrestart hasstatus logonaccount logonpassword manifest name path " +
			"pattern " +
			"provider restart start status stop timeout"
	case "exec":
		return "command creates cwd environment group logoutput name onlyif path provider refresh refreshonly returns " +
			"timeout " +
			"tries try_sleep umask unless user"
	case "notify":
		return "message name withpath"
	case "user":
		return "allowdupe attribute_membership attributes auth_membership auths comment ensure expiry forcelocal gid " +
			"groups home " +
			"ia_load_module iterations key_membership keys loginclass managehome membership name password password_max_age " +
			"password_min_age password_warn_days profile_membership profiles project provider purge_ssh_keys role_membership " +
			"roles " +
			"salt shell system uid"
	case "group":
		return "allowdupe attribute_membership attributes auth_membership ensure forcelocal gid ia_load_module members name " +
			"provider system"
	}
	return ""
}
