# gostate. `make demo` shows the main job in a scratch folder; `make test` passes the tests. Neither needs root, nor a network
# beyond Go modules.
GO      ?= go
PREFIX  ?= /usr/local
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
LDFLAGS  = -s -w -X main.version=$(VERSION)
BIN      = bin/gostate

.PHONY: all build demo test check integration bench install docs clean

all: build

build:
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o $(BIN) ./cmd/gostate

demo: build
	testdata/demo/run.sh $(BIN)

test:
	$(GO) test ./...

# check: format, vet, layers, and that go.mod says what is used.
check:
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { echo "not gofmt-ed:"; gofmt -l $$(git ls-files '*.go'); exit 1; }
	$(GO) vet ./...
	$(GO) mod tidy -diff
	$(GO) mod verify

# integration: a disposable Debian with systemd and apt. Needs root and Debian's package mirror.
integration: build
	testdata/integration/run.sh $(abspath $(BIN))

bench:
	$(GO) test -run '^$$' -bench . -benchmem -benchtime 1x -timeout 30m ./...
	$(GO) run ./testdata/bench $(BIN)

install: build
	install -D -m 755 $(BIN) $(DESTDIR)$(PREFIX)/bin/gostate
	install -d $(DESTDIR)$(PREFIX)/share/man/man8 $(DESTDIR)$(PREFIX)/share/bash-completion/completions
	$(BIN) man > $(DESTDIR)$(PREFIX)/share/man/man8/gostate.8
	$(BIN) completion bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/gostate

# docs: the reference pages that are made from the program's own declarations.
docs: build
	$(GO) test ./cmd/gostate -run TestReference -update

clean:
	rm -rf bin
