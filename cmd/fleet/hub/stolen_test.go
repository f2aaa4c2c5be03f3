package hub_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/gostate/gostate/cmd/fleet/bus"
	"github.com/gostate/gostate/cmd/fleet/bus/bustest"
	"github.com/gostate/gostate/cmd/fleet/hub"
)

// allowed says whether the server let something through: what it refuses it tells before it answers a ping.
func allowed(t *testing.T, b *bus.Bus, subject string, hear bool) bool {
	t.Helper()
	was := b.Conn.LastError()
	var err error
	if hear {
		_, err = b.Conn.Subscribe(subject, func(*nats.Msg) {})
	} else {
		err = b.Conn.Publish(subject, nil)
	}
	if err == nil {
		err = b.Conn.FlushTimeout(time.Minute)
	}
	if err != nil {
		t.Errorf("%s: %v", subject, err)
	}
	now := b.Conn.LastError()
	if now != was && !errors.Is(now, nats.ErrPermissionViolation) {
		t.Errorf("%s: %v", subject, now)
	}
	return now == was
}

// others are subjects that only operators and servers publish to.
func others() []string {
	api := []string{"INFO", "ACCOUNT.PURGE.x", "SERVER.REMOVE", "META.LEADER.STEPDOWN", "STREAM.NAMES", "STREAM.LIST"}
	for _, stream := range []string{bus.Reports, bus.Blobs, bus.Jobs, bus.Enrol, bus.Welcome, "KV_" + bus.Releases,
		"KV_" + bus.Mine, "KV_" + bus.Cursors, "NEW"} {
		for _, what := range []string{"STREAM.CREATE.", "STREAM.UPDATE.", "STREAM.DELETE.", "STREAM.PURGE.", "STREAM.INFO.",
			"STREAM.MSG.DELETE.", "STREAM.MSG.GET.", "STREAM.SNAPSHOT.", "STREAM.RESTORE.", "STREAM.PEER.REMOVE.",
			"STREAM.LEADER.STEPDOWN.", "CONSUMER.CREATE.", "CONSUMER.NAMES.", "CONSUMER.LIST."} {
			api = append(api, what+stream)
		}
		for _, what := range []string{"CONSUMER.CREATE.", "CONSUMER.DURABLE.CREATE.", "CONSUMER.MSG.NEXT.",
			"CONSUMER.INFO.", "CONSUMER.DELETE.", "CONSUMER.PAUSE."} {
			api = append(api, what+stream+".x")
		}
	}
	// The streams that are no business of machines.
	for _, stream := range []string{bus.Reports, bus.Enrol, bus.Welcome, "KV_" + bus.Cursors} {
		api = append(api, "DIRECT.GET."+stream, "DIRECT.GET."+stream+".x")
	}
	api = append(api, "DIRECT.GET."+bus.Reports+".report.web2", "DIRECT.GET."+bus.Blobs, "DIRECT.GET.KV_release",
		"DIRECT.GET.KV_release.$KV.release.prod.web2")
	var out []string
	for _, a := range api {
		out = append(out, "$JS.API."+a)
	}
	return append(out, "report.web2", "report.web1.x", "report", "blob.00.0", "job", "$KV.release.prod",
		"$KV.release.prod.web1", "$KV.rollout.x", "$KV.mine.f.0.web2", "$KV.mine.f.web1", "wake.all", "wake.env.prod",
		"wake.node.web1", "wake.node.web2", "enrol.web1.U", "welcome.web1.U", "_INBOX.web1.x", "_INBOX.web2.x",
		"_INBOX.=operator.x", "$SYS.REQ.SERVER.PING", "$SYS.REQ.CLAIMS.UPDATE", "$SYS.REQ.ACCOUNT.PING.CONNZ",
		"$SYS.REQ.USER.INFO", "$SYS.ACCOUNT.x.CONNECT", "$JS.ACK.REPORTS.x.1.1.1.1.1", "$JS.FC.REPORTS.x", "anything")
}

// heard are subjects that others hear.
func heard() []string {
	return []string{">", "*", "*.>", "report.*", "report.web2", "report.web1", "blob.>", "job", "$KV.>", "$KV.mine.>",
		"$KV.release.>", "wake.>", "wake.node.*", "wake.node.web2", "enrol.>", "welcome.>", "_INBOX.>", "_INBOX.*.>",
		"_INBOX.web2.>", "_INBOX.=operator.>", "$JS.>", "$JS.API.>", "$JS.EVENT.>", "$SYS.>", "_R_.>", "anything"}
}

// TestStolenKey: who has the key of a machine writes what that machine writes, and hears what is for it and for all.
func TestStolenKey(t *testing.T) {
	h := bustest.Start(t)
	holds(t, *h.NodeOptions("web1"), []string{"report.web1", "$KV.mine.f.0.web1", "$JS.API.DIRECT.GET.JOBS",
		"$JS.API.DIRECT.GET.KV_release.$KV.release.prod", "$JS.API.DIRECT.GET.KV_release.$KV.release.prod.web1"},
		[]string{"wake.all", "wake.env.prod", "wake.node.web1", "_INBOX.web1.>"}, others(), heard())
	// What was tried has left nothing.
	for _, stream := range []string{bus.Blobs, bus.Jobs, bus.Enrol, bus.Welcome, "KV_" + bus.Releases} {
		s, err := h.Operator().JS.Stream(context.Background(), stream)
		if err != nil {
			t.Fatal(err)
		}
		if n := s.CachedInfo().State.Msgs; n != 0 {
			t.Errorf("%s has %d messages", stream, n)
		}
	}
}

// TestStolenToken: who has a token to join asks to join.
func TestStolenToken(t *testing.T) {
	h := bustest.Start(t)
	token, err := hub.NewToken(h.Dir, time.Hour, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	o := h.NodeOptions("web1")
	o.JWT, o.Seed, o.User = token.JWT, nil, "=join"
	not := []string{"report.web1", "$KV.mine.f.0.web1", "$JS.API.DIRECT.GET.JOBS", "$JS.API.DIRECT.GET.WELCOME",
		"$JS.API.DIRECT.GET.ENROL.enrol.web1.U"}
	for _, s := range others() {
		if s != "enrol.web1.U" {
			not = append(not, s)
		}
	}
	holds(t, *o, []string{"enrol.web1.U", "$JS.API.DIRECT.GET.WELCOME.welcome.web1.U"}, nil, not,
		append(heard(), "wake.all", "_INBOX.web1.>"))
}

// holds tries what may and what may not be published and heard, on several connections of the user at once.
func holds(t *testing.T, o bus.Options, publish, subscribe, notPublish, notSubscribe []string) {
	t.Helper()
	type try struct {
		subject string
		hear    bool
		may     bool
	}
	tries := make(chan try, 1000)
	for _, c := range []struct {
		subjects  []string
		hear, may bool
	}{{publish, false, true}, {subscribe, true, true}, {notPublish, false, false}, {notSubscribe, true, false}} {
		for _, s := range c.subjects {
			tries <- try{s, c.hear, c.may}
		}
	}
	close(tries)
	var all sync.WaitGroup
	defer all.Wait()
	for range 16 {
		b, err := bus.Connect(o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(b.Close)
		all.Go(func() {
			for c := range tries {
				if got := allowed(t, b, c.subject, c.hear); got != c.may {
					t.Errorf("%s: to hear it %t: allowed %t, want %t", c.subject, c.hear, got, c.may)
				}
			}
		})
	}
}
