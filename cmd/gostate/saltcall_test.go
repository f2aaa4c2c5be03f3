package main

import (
	"io"
	"strings"
	"testing"
)

// TestArrange holds what Salt's command lines become.
func TestArrange(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{"gostate state.apply", "highstate"},
		{"gostate state.apply web test=True", "--test=true sls -- web"},
		{"gostate --test state.apply web,db", "--test sls -- web db"},
		{"gostate state.sls web exclude=a,b pillar={x: 1}", `--pillar={"x": 1} sls -- web exclude=a,b`},
		{"gostate state.sls mods=[web, db] queue=True", "--queue=True sls -- web db"},
		{"gostate state.sls web True", "--test=true sls -- web"},
		{"gostate state.highstate test=True", "--test=true highstate"},
		{"gostate state.highstate True", "--test=true highstate"},
		{"gostate state.sls_id a,b web", "sls --id=a --id=b -- web"},
		{"gostate state.top my.sls", "--top-file=my.sls highstate"},
		{"gostate state.test web", "--test=true sls -- web"},
		{"gostate state.sls web saltenv=dev pillarenv=dev concurrent=True mock=True localconfig=/f sync_mods=True",
			"--concurrent=True --local-config=/f --mock=True --pillarenv=dev --saltenv=dev sls -- web"},
		{"gostate state.single file.managed name=/x test=True", "--test=true single -- file.managed name=/x"},
		{"gostate state.show_sls web pillar={}", "--pillar={} call -- state.show_sls web"},
		{"gostate grains.get os --out json", "--out json call -- grains.get os"},
		{"gostate test.arg test=True -- -x", "call -- test.arg test=True -x"},
		{"gostate sls web test=True", "--test=true sls -- web"},
		{"/run/bin/salt-call test.ping", "call -- test.ping"},
		{"salt-call --local -l debug --out=json --retcode-passthrough grains.get os",
			"--local -l debug --out=json --retcode-passthrough call -- grains.get os"},
		{"salt-call -t 30 --id=web1 --file-root /f state.apply x", "--id=web1 --file-root /f sls -- x"},
		{"salt-call -g", "grains"},
		{"salt-call -d test.ping", "doc -- test.ping"},
		{"salt-call --versions-report", "version"},
		{"salt-call highstate", "call -- highstate"}, // which is no function
		{"gostate state.apply web tets=True", `error: state.apply has no argument "tets"` + "\nhint: did you mean test=?"},
		{"gostate state.sls web noop=True", `error: state.sls has no argument "noop"` +
			"\nhint: --noop is a flag; test=True says what would change"},
		{"gostate state.apply web db", `error: state.apply has no argument for "db"` +
			"\nhint: names of SLS files have commas between them: state.apply a,b"},
		{"gostate sls web test=maybe", "error: test=maybe is neither true nor false\nhint: test=True"},
		{"gostate sls --dry-run web", "error: unknown flag --dry-run\nhint: --test says what would change and changes nothing"},
		{"gostate state.sls", "error: state.sls needs the argument mods\nhint: the names of SLS files, with commas between " +
			"them"},
		{"gostate state.sls_id", "error: state.sls_id needs the argument id_"},
		{"salt-call --local", "error: salt-call needs a function\nhint: salt-call --local state.apply; gostate doc lists " +
			"the functions"},
	} {
		words := splitWords(tt.line)
		p := &program{salt: isSaltCall(words[0])}
		p.Err = io.Discard
		words = p.saltOptions(words[1:])
		p.words = words
		got, err := p.arrange(newApp(p), words)
		text := strings.Join(got, " ")
		if err != nil {
			text = "error: " + err.Error()
		}
		if text != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.line, text, tt.want)
		}
	}
}

// splitWords splits at blanks, but not within brackets.
func splitWords(line string) []string {
	depth := 0
	return strings.FieldsFunc(line, func(r rune) bool {
		switch r {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		return r == ' ' && depth == 0
	})
}

func TestExitCode(t *testing.T) {
	for _, tt := range []struct {
		p          program
		code, want int
	}{
		{program{}, exitFailed, exitFailed},
		{program{salt: true}, exitFailed, 1},
		{program{salt: true, passthrough: true}, exitFailed, exitFailed},
		{program{salt: true}, exitUsage, exitUsage},
		{program{salt: true, unknownFunction: true}, exitInput, 255},
	} {
		if got := tt.p.exitCode(tt.code); got != tt.want {
			t.Errorf("%+v: %d for %d, want %d", tt.p, got, tt.code, tt.want)
		}
	}
}
