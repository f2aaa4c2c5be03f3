package modules_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
)

func TestNeedScripts(t *testing.T) {
	for _, tt := range []struct {
		command string
		made    []string
		want    []string
	}{
		{command: "/opt/x arg /etc/y", want: []string{"/opt/x"}},
		{command: "systemctl reload nginx"},
		{command: "test -f /etc/x"},
		{command: "'/opt/my script' && /opt/b|/opt/c;/opt/d\n/opt/e || ! /opt/f & /opt/g",
			want: []string{"/opt/my script", "/opt/b", "/opt/c", "/opt/d", "/opt/e", "/opt/f", "/opt/g"}},
		{command: "/bin/sh /opt/x /etc/y", want: []string{"/bin/sh", "/opt/x"}},
		{command: "bash -eux /opt/x"},
		{command: "bash -x /opt/x", want: []string{"/opt/x"}},
		{command: "sh -c '/opt/x'"},
		{command: "python3 -m json /opt/x"},
		{command: "python3.11 /opt/x.py", want: []string{"/opt/x.py"}},
		{command: "A=1 B=/etc/x /opt/x", want: []string{"/opt/x"}},
		{command: "env -i A=1 nohup /opt/x", want: []string{"/opt/x"}},
		{command: "cd /srv/app && make > /srv/out < /srv/in", want: []string{"/srv/app", "/srv/in"}},
		{command: ". /etc/profile; source /opt/env", want: []string{"/etc/profile", "/opt/env"}},
		{command: "curl -o /opt/x http://h && /opt/x"},
		{command: "make -C /src; /opt/built", made: []string{"/opt/built"}},
		{command: "echo hi >/opt/x; /opt/x"},
		{command: "echo hi 2>&1 >> /opt/x"},
		{command: "cat <<EOF > /etc/x\n/opt/x\nEOF\n"},
		{command: "/opt/$VERSION/bin/x; /opt/*/x; \"/opt/`hostname`/x\""},
		{command: "echo $(/opt/x)", want: []string{"/opt/x"}},
		{command: "# /opt/x\n/opt/y # /opt/z", want: []string{"/opt/y"}},
		{command: "if /opt/x; then /opt/y; fi", want: []string{"/opt/x", "/opt/y"}},
		{command: "/opt/a\\ b 'unclosed /x", want: []string{"/opt/a b"}},
		{command: "/opt/x \\\n /opt/y", want: []string{"/opt/x"}},
	} {
		t.Run(tt.command, func(t *testing.T) {
			var r state.Relations
			modules.NeedScripts(&r, tt.command, tt.made...)
			var got []string
			for _, n := range r.Needs {
				got = append(got, n.Name)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
