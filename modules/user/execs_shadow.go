package user

import (
	"context"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func shadowSpecs() []modules.ExecSpec {
	looks := []modules.ExecSpec{
		{Name: "shadow.info", Doc: "Tells the password's hash and ages of a user.", Params: []string{"name", "root=None"},
			Fn: shadowInfo},
		{Name: "shadow.list_users", Doc: "Lists the users that have an entry in /etc/shadow.", Params: []string{"root=None"},
			Fn: shadowUsers},
		{Name: "shadow.default_hash", Doc: "Gives what stands for a password that was never set.",
			Fn: func(context.Context, *modules.Call) (value.Value, error) { return value.Str("!"), nil }},
		{Name: "shadow.gen_password", Doc: "Hashes a password: sha512, sha256 or md5.",
			Params: []string{"password", "crypt_salt=None", "algorithm=sha512"},
			Fn:     genPassword},
	}
	writes := []modules.ExecSpec{
		{Name: "shadow.set_password", Doc: "Sets the hash of a user's password.",
			Params: []string{"name", "password!:", "use_usermod=false", "root=None"},
			Fn: secret(func(c *modules.Call, s shadow, d *difference) {
				d.password, d.newPass = c.Str("password"), s.Hash != c.Str("password")
			})},
		{Name: "shadow.del_password", Doc: "Takes the password of a user away.", Params: []string{"name", "root=None"},
			Fn: secret(func(_ *modules.Call, s shadow, d *difference) { d.empty = s.Hash != "" })},
		{Name: "shadow.lock_password", Doc: "Locks the password of a user.", Params: []string{"name", "root=None"},
			Fn: secret(locking(true))},
		{Name: "shadow.unlock_password", Doc: "Unlocks the password of a user.", Params: []string{"name", "root=None"},
			Fn: secret(locking(false))},
	}
	for i, a := range []struct{ name, param, flag, what string }{
		{"set_date", "date", "-d", "the day of the last change of a user's password"},
		{"set_mindays", "mindays", "-m", "the least days between changes"},
		{"set_maxdays", "maxdays", "-M", "the most days between changes"},
		{"set_warndays", "warndays", "-W", "the days of warning"},
		{"set_inactdays", "inactdays", "-I", "the days until the account is locked"},
		{"set_expire", "expire", "-E", "the day on which the account expires"},
	} {
		writes = append(writes, modules.ExecSpec{Name: "shadow." + a.name, Doc: "Sets " + a.what + ".",
			Params: []string{"name", a.param, "root=None"},
			Fn: secret(func(c *modules.Call, s shadow, d *difference) {
				if n := optional(c, a.param); n != nil && *n != s.days()[i] {
					d.ages = []age{{key: a.param, flag: a.flag, field: i + 2, days: *n}}
				}
			})})
	}
	return append(looks, modules.Writing(writes...)...)
}

func locking(lock bool) func(*modules.Call, shadow, *difference) {
	return func(_ *modules.Call, s shadow, d *difference) {
		if s.locked() != lock {
			d.lock = &lock
		}
	}
}

// secret is a function that changes what is in /etc/shadow of a user; it is False where there is none.
func secret(differs func(c *modules.Call, s shadow, d *difference)) func(context.Context, *modules.Call) (value.Value, error) {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		if err := c.NoRoot(); err != nil {
			return nil, err
		}
		a, ok, err := find(c.Host, c.Str("name"))
		if err != nil || !ok {
			return value.Bool(false), err
		}
		var d difference
		differs(c, a.Shadow, &d)
		return c.Answer(d.apply(ctx, c.Host, &Present{Name: a.Name}, a))
	}
}

func shadowInfo(_ context.Context, c *modules.Call) (value.Value, error) {
	if err := c.NoRoot(); err != nil {
		return nil, err
	}
	s, err := readShadow(c.Host, c.Str("name"))
	out := value.DictOf("name", value.Str(""), "passwd", value.Str(s.Hash))
	if s.Known {
		out.SetStr("name", value.Str(c.Str("name")))
	}
	for i, n := range s.days() {
		out.SetStr(dayNames()[i], value.Int(n))
		if !s.Known {
			out.SetStr(dayNames()[i], value.Str(""))
		}
	}
	return out, err
}

func shadowUsers(_ context.Context, c *modules.Call) (value.Value, error) {
	if err := c.NoRoot(); err != nil {
		return nil, err
	}
	lines, err := modules.ReadLines(c.Host, shadowFile)
	var out []string
	for _, l := range lines {
		if name, _, ok := strings.Cut(l, ":"); ok {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return modules.TextList(out), err
}

func genPassword(_ context.Context, c *modules.Call) (value.Value, error) {
	prefix := map[string]string{"sha512": "$6$", "sha256": "$5$", "md5": "$1$"}[c.Str("algorithm")]
	if prefix == "" {
		return nil, value.Raise("SaltInvocationError", "Algorithm '%s' is not supported", c.Str("algorithm"))
	}
	hash, err := hashedAs(c.Str("password"), prefix, c.Str("crypt_salt"))
	return value.Str(hash), err
}
