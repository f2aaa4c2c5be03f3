package modules

// plainKeywords are the arguments that every state takes in Salt, too, but for requisites.
func plainKeywords() []Keyword {
	return []Keyword{
		{"aggregate", "Does the work of later states of its kind at once, where its function can: packages.",
			"nginx:\n  pkg.installed:\n    - aggregate: true"},
		{"check_cmd", "Commands that are run after the state has changed something; it fails where one of them fails.",
			"/etc/app.conf:\n  file.managed:\n    - source: salt://app.conf\n    - check_cmd: app --check-config"},
		{"cmd_opts_exclude", "Nothing: conditions run with the options of their state.",
			"app:\n  cmd.run:\n    - cmd_opts_exclude: [env]"},
		{"creates", "A path or a list of paths: where all are there, the state is in order and is not run.",
			"make:\n  cmd.run:\n    - creates: /srv/app/bin/app"},
		{"failhard", "Ends the run where this state fails.", "database:\n  pkg.installed:\n    - failhard: true"},
		{"fire_event", "Nothing: there is no master to tell.", "app:\n  test.nop:\n    - fire_event: true"},
		{"name", "What the state works on: a path, a package, a command. It is the ID when not given.",
			"site configuration:\n  file.managed:\n    - name: /etc/site.conf"},
		{"names", "Makes one state of each name; a map gives arguments of its own.",
			"tools:\n  pkg.installed:\n    - names: [curl, git]"},
		{"onlyif", "Commands, or calls of functions (fun: NAME): the state is run only where all succeed.",
			"reload:\n  cmd.run:\n    - name: nginx -s reload\n    - onlyif: nginx -t"},
		{"order", "Its place: a number, first, last, or a number below 0 from the end. Requisites win over it.",
			"apt update:\n  cmd.run:\n    - order: first"},
		{"parallel", "Lets the state run beside those that do not depend on it.",
			"download:\n  cmd.run:\n    - parallel: true"},
		{"reload_grains", "Reads the grains anew after the state.",
			"lsb-release:\n  pkg.installed:\n    - reload_grains: true"},
		{"reload_modules", "Loads the tree's own modules anew after the state.",
			"python3-boto:\n  pkg.installed:\n    - reload_modules: true"},
		{"reload_pillar", "Compiles the pillar anew after the state.",
			"/srv/pillar/x.sls:\n  file.touch:\n    - reload_pillar: true"},
		{"retry", "Tries the state again while it fails: attempts, interval (seconds), splay (seconds), until (true or " +
			"false).",
			"wait for the port:\n  cmd.run:\n    - name: nc -z localhost 80\n    - retry: {attempts: 5, interval: 2}"},
		{"runas", "The user whose rights the commands of the state and of its conditions have, where its function runs any.",
			"make:\n  cmd.run:\n    - runas: app"},
		{"runas_password", "Nothing: it is for Windows.", "make:\n  cmd.run:\n    - runas: app"},
		{"saltenv", "The environment whose file roots its salt:// sources come from.",
			"/etc/app.conf:\n  file.managed:\n    - source: salt://app.conf\n    - saltenv: dev"},
		{"timeout", "Ends commands of the state and of its conditions after so many seconds, where its function runs any.",
			"make:\n  cmd.run:\n    - timeout: 600"},
		{"umask", "The umask of the commands of its conditions, and of the state where its function runs any.",
			"make:\n  cmd.run:\n    - umask: '022'"},
		{"unless", "Commands, or calls of functions (fun: NAME): the state is run only where one of them fails.",
			"initialise:\n  cmd.run:\n    - name: app init\n    - unless: test -e /var/lib/app"},
	}
}

// metaKeywords are the arguments that Puppet's users know, and Salt has not.
func metaKeywords() []Keyword {
	return []Keyword{
		{"alias", "Other IDs by which requisites may name the state.",
			"/etc/app.conf:\n  file.managed:\n    - alias: app config"},
		{"audit", "Only tells what has changed since the last run, and mends nothing: true, or a list of properties.",
			"/etc/passwd:\n  file.managed:\n    - audit: true"},
		{"before", "Gives each state that it names the requisite require, with this state as its target. Puppet's word.",
			exampleOf("before", "cmd: start")},
		{"noop", "Only previews the state, in a run as well.", "/etc/app.conf:\n  file.managed:\n    - noop: true"},
		{"notify", "Gives each state that it names the requisite subscribe, with this state as its target. Puppet's word.",
			"/etc/app.conf:\n  file.managed:\n    - notify:\n      - service: app"},
		{"schedule", "Names a schedule of the configuration: the state is run only in its times.",
			"apt upgrade:\n  pkg.uptodate:\n    - schedule: night"},
		{"stage", "The run stage of the state, one of those that the configuration lists.",
			"repository:\n  pkgrepo.managed:\n    - stage: pre"},
		{"subscribe", "Runs the state after all that it names have succeeded. When one changed something, or was refreshed, " +
			"the state is\nrefreshed in its turn, once: a service restarts. Puppet's word; watch is Salt's.",
			exampleOf("subscribe", "file: /etc/app.conf")},
		{"tags", "Words by which --tags and --skip-tags choose states.", "app:\n  service.running:\n    - tags: [web, app]"},
		{"virtual", "Runs the state only where something realizes it.",
			"alice:\n  user.present:\n    - virtual: true"},
	}
}
