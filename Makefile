# gostate. `make demo` shows the main job in a scratch folder; `make test` passes the tests. Neither needs root, nor a network
# beyond Go modules.
GO      ?= go
PREFIX  ?= /usr/local
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
LDFLAGS  = -s -w -X main.version=$(VERSION)
BIN      = bin/gostate

FUZZTIME ?= 10m
CHECKS   ?= 5000
TOOL     = $(GO) tool -modfile=.ci/tools.mod
# The tag leaves out a Markdown converter that the flag library links for something that gostate does not use
# (docs/decisions/0004-start-up.md).
TAGS     = urfave_cli_no_docs

.PHONY: all vuln sbom licences release reproducible release-install first-hour build demo test check race properties fuzz integration beside-puppet kills fleet go-install page-test bench install docs site clean

all: build

build:
	CGO_ENABLED=0 $(GO) build -trimpath -tags $(TAGS) -ldflags '$(LDFLAGS)' -o $(BIN) ./cmd/gostate

demo: build
	testdata/demo/run.sh $(BIN)

# test: all tests that need neither root nor a network, and how much of each package they reach.
test:
	$(GO) test -cover ./...
	cd cmd/fleet && $(GO) test -cover ./...

# check: format, vet, staticcheck, code that nothing reaches, and that go.mod says what is used. Error texts that are Salt's words
# begin with capitals (ST1005).
check:
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { echo "not gofmt-ed:"; gofmt -l $$(git ls-files '*.go'); exit 1; }
	$(GO) vet ./...
	cd cmd/fleet && $(GO) vet ./...
	$(TOOL) staticcheck -checks inherit,-ST1005 ./...
	cd cmd/fleet && $(GO) tool -modfile=../../.ci/tools.mod staticcheck -checks inherit,-ST1005 ./...
	@dead=$$($(TOOL) deadcode -test ./...) && test -z "$$dead" || { echo "nothing reaches:"; echo "$$dead"; exit 1; }
	$(GO) mod tidy -diff
	cd cmd/fleet && $(GO) mod tidy -diff
	$(GO) mod verify
	@$(MAKE) --no-print-directory vuln

# vuln: known holes in what is linked, where the database can be reached. Where it cannot, that is said: nothing was checked then.
vuln:
	@if curl -fsS -m 10 -o /dev/null https://vuln.go.dev/index/db.json 2>/dev/null; then \
		$(TOOL) govulncheck -tags $(TAGS) ./cmd/gostate; \
	else \
		echo "NOT CHECKED: vuln.go.dev cannot be reached, known holes in dependencies were not looked for" >&2; \
	fi

# sbom: the bill of materials of the binary (CycloneDX). licences: docs/third-party.md.
sbom: build
	@$(GO) run ./testdata/sbom json $(BIN)

licences: build
	$(GO) run ./testdata/sbom licences $(BIN) > docs/third-party.md

# release: binaries, packages, image, bills of materials and checksums in dist/. reproducible: makes them twice and compares.
release:
	rm -rf dist
	cmd/gostate/release/release.sh dist

reproducible:
	cmd/gostate/release/reproducible.sh

# release-install: installs, upgrades, removes and purges the Debian package on a disposable Debian (see integration).
release-install: build
	rm -rf bin/old bin/new
	ARCHES=$$($(GO) env GOARCH) VERSION=v0.1.0 cmd/gostate/release/release.sh bin/old
	ARCHES=$$($(GO) env GOARCH) VERSION=v0.2.0 cmd/gostate/release/release.sh bin/new
	rm -rf bin/first && mkdir bin/first && cp bin/old/*.deb bin/old/SHA256SUMS bin/first
	testdata/integration/run.sh $(abspath $(BIN)) -tags integration,release -run 'TestReleasePackage|TestFirstHour' -v

# first-hour: runs docs/first-hour.md with the package on a disposable Debian, and writes what it prints and its pictures.
# Those of the page of HTML need Chromium.
first-hour: build
	rm -rf bin/first
	ARCHES=$$($(GO) env GOARCH) VERSION=v0.1.0 cmd/gostate/release/release.sh bin/first
	FIRST_HOUR_PAGE=$(abspath bin)/run.html \
		testdata/integration/run.sh $(abspath $(BIN)) -tags integration,release -run TestFirstHour -v -update
	PAGE_FILE=$(abspath bin)/run.html PAGE_SHOTS=$(abspath docs/shots) \
		$(GO) test -tags page -count=1 ./cmd/internal/page -run Pictures -v

# race: the packages in which things run beside each other, under the race detector. Needs a C compiler.
race:
	CGO_ENABLED=1 $(GO) test -race ./state/run ./state/host/... ./modules ./requisite/...

# properties: the property tests with trees that were never drawn before, CHECKS of each. `make test` draws the same ones each time.
properties:
	RAPID_SEED=0 RAPID_CHECKS=$(CHECKS) $(GO) test -count=1 -run 'Propert' -timeout 60m ./requisite ./state/run

# fuzz: every fuzz target for FUZZTIME, one after the other. What they find lands in testdata/fuzz of their package.
fuzz:
	@set -e; for d in $$(git grep -l '^func Fuzz' -- '*_test.go' | xargs -n1 dirname | sort -u); do \
		for f in $$(grep -ho '^func Fuzz[A-Za-z0-9]*' $$d/*_test.go | cut -c6-); do \
			echo "== $$d $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) ./$$d; \
		done; \
	done

# fleet: what takes long with a hub: three servers of NATS as a cluster, and trials of many machines.
fleet:
	cd cmd/fleet && $(GO) test -count=1 -tags fleet -timeout 30m ./hub -run Cluster -v

# go-install: what `go install .../cmd/gostate@VERSION` does, from a module proxy made of this commit.
go-install:
	testdata/install/run.sh

# integration: a disposable Debian with systemd and apt. Needs root and Debian's package mirror.
integration: build
	testdata/integration/run.sh $(abspath $(BIN))

# beside-puppet: Debian's puppet-agent and gostate apply the same things on two hosts, and come to the same. Takes three minutes.
beside-puppet: build
	testdata/integration/run.sh $(abspath $(BIN)) -tags integration,puppet -run TestBesidePuppet -v

# kills: 200 runs that are killed at random moments, with full disks and killed package managers among them, on such a host;
# KILLS_TREE is a tree of your own (testdata/kills/run.sh). Ten minutes.
kills: build
	testdata/kills/run.sh -n 200 $(abspath $(BIN)) $(KILLS_TREE)

bench:
	$(GO) test -run '^$$' -bench . -benchmem -benchtime 1x -timeout 30m ./...
	$(GO) run ./testdata/bench $(BIN)

install: build
	install -D -m 755 $(BIN) $(DESTDIR)$(PREFIX)/bin/gostate
	install -d $(DESTDIR)$(PREFIX)/share/man/man8 $(DESTDIR)$(PREFIX)/share/bash-completion/completions
	$(BIN) man --dir $(DESTDIR)$(PREFIX)/share/man/man8
	$(BIN) completion bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/gostate
	install -d $(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	$(BIN) completion zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_gostate
	$(BIN) completion fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/gostate.fish

# page-test: the page of HTML in a headless Chromium, which has to be installed. PAGE_SHOTS=DIR keeps pictures of it.
page-test:
	$(GO) test -tags page -count=1 ./cmd/internal/page -run Chromium -v
	cd cmd/fleet && $(GO) test -tags page -count=1 ./operate/ui -run Chromium -v

# docs: the reference pages that are made from the program's own declarations.
docs: build
	$(GO) test ./cmd/gostate -run "TestReference|TestFromSalt" -update

# site: docs as a web site in site/. Needs Debian's mkdocs and mkdocs-material.
site:
	testdata/site/make.sh site

clean:
	rm -rf bin dist site
