package postgres

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// name matches a quoted name or the word of a text.
const quoted = `"((?:[^"]|"")*)"`

// statements are what the fake server does, by what they look like: $ is a quoted name.
func (f *fake) statements() map[string]func(a []string) error {
	drop := func(k kind) func([]string) error {
		return func(a []string) error { delete(f.objects, f.key(k, f.database, a[0])); return nil }
	}
	add := func(k kind, more object) func([]string) error {
		return func(a []string) error {
			o := object{"name": a[0], "owner": "postgres", "oid": "20000"}
			for c, v := range more {
				o[c] = v
			}
			if len(a) > 1 && a[1] != "" {
				o["owner"] = a[1]
			}
			f.put(k, f.database, o)
			return nil
		}
	}
	set := func(k kind, column string) func([]string) error {
		return func(a []string) error { f.objects[f.key(k, f.database, a[0])][column] = a[1]; return nil }
	}
	return map[string]func([]string) error{
		`CREATE ROLE $(.*)`: func(a []string) error { return f.role(a[0], a[1], object{}) },
		`ALTER ROLE $(.*)`: func(a []string) error {
			return f.role(a[0], a[1],
				f.objects[f.key(roles, "", a[0])])
		},
		`DROP ROLE $`: func(a []string) error {
			if f.bound(a[0]) {
				return inUse(a[0])
			}
			for _, m := range f.of(members) {
				if m["group"] == a[0] || m["member"] == a[0] {
					delete(f.objects, f.key(members, "", m["name"]))
				}
			}
			return drop(roles)(a)
		},
		`GRANT $ TO $( WITH ADMIN OPTION)?`: f.join,
		`REVOKE $ FROM $`: func(a []string) error {
			delete(f.objects,
				f.key(members, "", a[0]+"\n"+a[1]))
			return nil
		},
		`CREATE DATABASE $(.*)`:                f.createDatabase,
		`ALTER DATABASE $ OWNER TO $`:          set(databases, "owner"),
		`ALTER DATABASE $ SET TABLESPACE $`:    set(databases, "tablespace"),
		`REVOKE CONNECT ON DATABASE $.*`:       func([]string) error { return nil },
		`SELECT pg_terminate_backend.*`:        func([]string) error { return nil },
		`DO .*`:                                func([]string) error { return nil },
		`DROP DATABASE $`:                      drop(databases),
		`CREATE SCHEMA $(?: AUTHORIZATION $)?`: add(schemas, nil),
		`DROP SCHEMA $`:                        drop(schemas),
		`CREATE LANGUAGE $`: func(a []string) error {
			_ = add(extensions, object{"extversion": "1.8", "schema_name": "pg_catalog", "extrelocatable": "f"})(a)
			return add(languages, nil)(a)
		},
		`DROP LANGUAGE $`: drop(languages),
		`CREATE EXTENSION (?:IF NOT EXISTS )?$(.*)`: func(a []string) error {
			version := "1.8"
			if m := regexp.MustCompile(`VERSION '(.*?)'`).FindStringSubmatch(a[1]); m != nil {
				version = m[1]
			}
			return add(extensions, object{"extversion": version, "schema_name": "public", "extrelocatable": "t"})(a[:1])
		},
		`ALTER EXTENSION $ SET SCHEMA $`:     set(extensions, "schema_name"),
		`ALTER EXTENSION $ UPDATE TO '(.*)'`: set(extensions, "extversion"),
		`DROP EXTENSION (?:IF EXISTS )?$.*`:  func(a []string) error { _ = drop(languages)(a); return drop(extensions)(a) },
		`CREATE TABLESPACE $(?: OWNER $)? LOCATION '(.*?)'(?: WITH \((.*)\))?`: func(a []string) error {
			return add(tablespaces, object{"location": a[2], "options": plainOptions(a[3])})(a)
		},
		`ALTER TABLESPACE $ OWNER TO $`: set(tablespaces, "owner"),
		`ALTER TABLESPACE $ SET \((.*)\)`: func(a []string) error {
			o := f.objects[f.key(tablespaces, "", a[0])]
			k, v, _ := strings.Cut(strings.Trim(plainOptions(a[1]), "{}"), "=")
			o["options"] = withOption(o["options"], k, v)
			return nil
		},
		`DROP TABLESPACE $`: drop(tablespaces),
		`(GRANT|REVOKE) ([A-Z, ]+) ON (?:ALL )?(TABLE|SEQUENCE|SCHEMA|DATABASE|TABLESPACE|LANGUAGE|FUNCTION)S? (.*) (?:TO|FROM) $(.*)`: f.privilege,
		`SET .*|BEGIN.*|ROLLBACK`: func([]string) error { return nil },
	}
}

func plainOptions(text string) string {
	if text == "" {
		return ""
	}
	return "{" + strings.NewReplacer(`"`, "", "'", "", " = ", "=", ", ", ",").Replace(text) + "}"
}

// run does statements, divided by semicolons.
func (f *fake) run(text string) error {
	for part := range strings.SplitSeq(text, "; ") {
		if strings.HasPrefix(text, "DO ") {
			part = "DO it"
		}
		if err := f.one(part); err != nil {
			return err
		}
	}
	if !regexp.MustCompile(`^(SET|BEGIN|ROLLBACK)`).MatchString(text) {
		f.save()
	}
	return nil
}

func (f *fake) one(text string) error {
	for pattern, do := range f.statements() {
		m := regexp.MustCompile("^(?:" + strings.ReplaceAll(pattern, "$", quoted) + ")$").FindStringSubmatch(text)
		if m != nil {
			for i := range m {
				m[i] = strings.ReplaceAll(m[i], `""`, `"`)
			}
			return do(m[1:])
		}
	}
	return fmt.Errorf("the fake cannot do %s", text)
}

func (f *fake) role(name, words string, o object) error {
	o["name"] = name
	for i, w := range flagWords {
		if o[flagNames[i]] == "" {
			o[flagNames[i]] = truth(w == "INHERIT")
		}
		if m := regexp.MustCompile(` (NO)?` + w + `( |$)`).FindStringSubmatch(words); m != nil {
			o[flagNames[i]] = truth(m[1] == "")
		}
	}
	if m := regexp.MustCompile(`PASSWORD '(.*?)'`).FindStringSubmatch(words); m != nil {
		o["password"] = m[1]
	}
	if m := regexp.MustCompile(`VALID UNTIL '(.*?)'`).FindStringSubmatch(words); m != nil {
		o["valid_until"] = m[1] + " 00:00:00"
	}
	if m := regexp.MustCompile(`LIMIT (-?\d+)`).FindStringSubmatch(words); m != nil {
		o["connlimit"] = m[1]
	}
	f.put(roles, "", o)
	return nil
}

func (f *fake) join(a []string) error {
	if f.objects[f.key(members, "", a[1]+"\n"+a[0])] != nil {
		return fmt.Errorf("role %q is a member of role %q", a[0], a[1])
	}
	f.put(members, "", object{"name": a[0] + "\n" + a[1], "group": a[0], "member": a[1], "admin": truth(a[2] != "")})
	return nil
}

func (f *fake) createDatabase(a []string) error {
	o := object{"name": a[0], "owner": "postgres", "encoding": "UTF8", "collate": "C", "ctype": "C",
		"tablespace": "pg_default"}
	for word, column := range map[string]string{"OWNER": "owner", "ENCODING": "encoding", "LC_COLLATE": "collate",
		"TABLESPACE": "tablespace"} {
		if m := regexp.MustCompile(word + ` = ["'](.*?)["']`).FindStringSubmatch(a[1]); m != nil {
			o[column] = m[1]
		}
	}
	f.put(databases, "", o)
	for _, k := range []kind{schemas, languages} {
		for _, of := range f.of(k) {
			f.put(k, a[0], of)
		}
	}
	return nil
}

// privilege grants or revokes privileges.
func (f *fake) privilege(a []string) error {
	what, on, role := strings.ToLower(a[2]), a[3], a[4]
	list := every(what, strings.Split(a[1], ", "))
	var names []string
	on = strings.ReplaceAll(strings.TrimPrefix(on, "IN SCHEMA "), `"`, "")
	if strings.HasPrefix(a[3], "IN SCHEMA") {
		for _, o := range f.of("relation") {
			if n, ok := strings.CutPrefix(o["name"], what+" "+on+" "); ok {
				names = append(names, n)
			}
		}
	} else if _, after, ok := strings.Cut(on, "."); ok && (what == "table" || what == "sequence") {
		names = []string{after}
	} else {
		names = []string{on}
	}
	for _, n := range names {
		kept := f.objects[f.key(privileges, f.database, what+" "+n)]
		if kept == nil {
			kept = object{"postgres": strings.Join(privilegesOf(what), " ")}
		}
		has := slices.DeleteFunc(strings.Fields(kept[role]), func(p string) bool {
			return slices.Contains(list, strings.TrimSuffix(p, "*"))
		})
		if a[0] == "GRANT" {
			for _, p := range list {
				if strings.Contains(a[5], "OPTION") {
					p += "*"
				}
				has = append(has, p)
			}
		}
		kept[role] = strings.Join(has, " ")
		if len(has) == 0 {
			delete(kept, role)
		}
		f.objects[f.key(privileges, f.database, what+" "+n)] = kept
	}
	return nil
}
