# `make help` lists the targets. Building and running needs Go alone; changing
# protos needs buf as well (proto/tools/README.md).

# Steps build on each other (what is generated is compiled next), so they run one
# after another even under -j; Go uses all cores by itself.
.NOTPARALLEL:

# ---- which tools are there

NPM     := $(shell command -v npm)
NPM_BUF := proto/tools/node_modules/.bin/buf
GO_BUF  := build/bin/buf

# The file that shows that the npm packages of proto/tools are installed.
NPM_READY := proto/tools/node_modules/.package-lock.json

# The same for the Foundry module, and the browser in which it is tried.
FOUNDRY_READY := plugin-foundry/node_modules/.package-lock.json
CHROMIUM      := $(shell command -v chromium)

# BUF=... from outside wins and is taken as it is. What is chosen here is also
# kept up to date: BUF_READY is the file that shows that it is installed.
ifdef BUF
else ifneq ($(NPM),)
BUF       := $(NPM_BUF)
BUF_READY := $(NPM_READY)
else ifneq ($(wildcard $(GO_BUF)),)
BUF       := $(GO_BUF)
BUF_READY := $(GO_BUF)
endif

# The race detector needs cgo, which Go turns off where it finds no C compiler.
CGO_ENABLED := $(shell go env CGO_ENABLED)

# The newest tag that this commit descends from; empty before the first one.
TAG := $(shell git describe --tags --abbrev=0 2>/dev/null)

# $(call skipped,text) says that a check did not run. In CI that is a failure:
# a green run there has to mean that everything ran.
skipped = @echo "SKIPPED: $(1)" >&2; test -z "$$CI"

# ---- targets

.PHONY: all
all: build test

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## compile everything
	go build ./...

.PHONY: run
run: ## a server on this machine with tables ready to play, and the lines to play them
	@mkdir -p build
	go run ./server/cmd/hantei demo --db build/demo.db

.PHONY: test
ifdef BUF
test: generate-check proto-lint test-go foundry ## check everything: protos, vet, tests, the Foundry module
else
test: proto-skipped test-go foundry
endif

.PHONY: test-go
test-go: ## vet and test the Go code, with the race detector where possible
	go vet ./...
ifeq ($(CGO_ENABLED),1)
	go test -race -skip '^Test(Audiences|OptionsMatter)$$' ./...
	go test ./engine/coc ./engine/persona -run '^Test(Audiences|OptionsMatter)$$' # which start no goroutine
	go test ./engine/coc/oracle # and all inputs
else
	$(call skipped,race detector off: no C compiler was found)
	go test ./...
endif

.PHONY: proto-skipped
proto-skipped:
	$(call skipped,protos neither linted nor compared with gen/: no Node (npm) and no built buf; see proto/tools/README.md)

# The page stands in for Foundry, the server is real (plugin-foundry/test/harness).
.PHONY: foundry
ifneq ($(NPM),)
foundry: $(FOUNDRY_READY) ## check the Foundry module: types, lint, tests, in a browser too
	npm --prefix plugin-foundry run --silent types
	npm --prefix plugin-foundry run --silent lint
	npm --prefix plugin-foundry run --silent unit
ifneq ($(CHROMIUM),)
	@mkdir -p build/bin
	go build -o build/bin/hantei-harness ./server/cmd/hantei
	HANTEI_BIN=$(CURDIR)/build/bin/hantei-harness CHROMIUM=$(CHROMIUM) npm --prefix plugin-foundry run --silent e2e
else
	$(call skipped,the Foundry module was not tried in a browser: no chromium was found)
endif
else
foundry:
	$(call skipped,the Foundry module was not checked: no Node (npm))
endif

$(FOUNDRY_READY): plugin-foundry/package.json plugin-foundry/package-lock.json
	npm ci --prefix plugin-foundry --ignore-scripts --no-audit --no-fund
	@touch $@

.PHONY: foundry-zip
foundry-zip: ## pack the Foundry module into build/foundry/hantei.zip
	go run ./plugin-foundry/pack -o build/foundry/hantei.zip $(if $(VERSION),-version $(VERSION))

.PHONY: bench
bench: ## run the benchmarks
	go test -run '^$$' -bench . -benchmem ./...

# Nightly rather than daily: it takes an hour or two. ONLY=COC-SAN or ONLY=sanity.go tries a
# part, EVERY=10 a tenth. The games are left out, which go on and on with a fault, and
# what plays all examples over again.
RULESET ?= coc
.PHONY: trial
trial: ## play whole random games of engine/$(RULESET) until everything was used, and look for leaks in them
	go test ./engine/$(RULESET) -count 1 -v -run '^Test(Games|Leaks)$$' -timeout 3h $(if $(STEPS),-trial.steps $(STEPS))

.PHONY: mutate
mutate: ## list by rule the small faults in engine/$(RULESET) that no test finds
	go run ./server/cmd/mutate -skip '^Test(Games|Leaks|OptionsMatter)$$' $(addprefix -only ,$(ONLY)) $(if $(EVERY),-every $(EVERY)) $(addprefix -with ,$(wildcard ./engine/$(RULESET)/oracle) ./server/exchange) ./engine/$(RULESET)

# What the server takes: the figures of server/docs/install.md come from here.
LOAD ?= -load-tables 1000 -load-watchers 2000 -load-rate 500 -load-time 15s -load-buffer 256

.PHONY: load
load: ## play at 1,000 tables with 2,000 watchers, and say how fast it was and what it took
	go test ./server/cmd/hantei -count=1 -run '^TestLoad$$' -v -timeout 20m $(LOAD)

# PLATFORMS=linux/amd64,windows/arm64 makes a release for these alone.
.PHONY: release
release: ## pack the program for Linux, macOS and Windows into build/release
	go run ./server/cmd/release $(if $(PLATFORMS),-platforms $(PLATFORMS))

.PHONY: release-check
release-check: ## build the release of the last commit twice and compare the bytes
	server/cmd/release/check.sh $(if $(PLATFORMS),-platforms $(PLATFORMS))

# What clients read of the protos is written along with gen/.
.PHONY: generate
generate: buf-ready proto-deps ## write gen/ and server/docs/reference.md from the protos
	$(BUF) generate --template proto/buf.gen.yaml
ifneq ($(NPM),)
	@$(MAKE) --no-print-directory $(NPM_READY)
	$(BUF) generate --template proto/buf.gen.ts.yaml
else
	@echo "gen/ts stays as it is: it needs Node"
endif
	go test ./server/docs -run Reference -update

GENERATED := gen server/docs/reference.md

.PHONY: generate-check
generate-check: generate ## regenerate, and fail if that changes what git has
	@git diff --stat --exit-code -- $(GENERATED) && test -z "$$(git ls-files --others --exclude-standard -- $(GENERATED))" || { \
		git status --short -- $(GENERATED); \
		echo "gen/ or server/docs/reference.md does not match the protos: run 'make generate' and 'git add $(GENERATED)'" >&2; \
		exit 1; }

.PHONY: proto-lint
proto-lint: buf-ready proto-deps ## lint the protos and check their format
	$(BUF) lint
	$(BUF) format --diff --exit-code --path proto/hantei

.PHONY: proto-format
proto-format: buf-ready proto-deps ## format the protos in place
	$(BUF) format --write --path proto/hantei

# The tag is unpacked, and not named to buf as a git input, because the imported
# protos are not in git: a copy of ours goes beside the tag's own.
.PHONY: proto-breaking
proto-breaking: buf-ready proto-deps ## compare the protos with the newest tag, or with TAG=...
ifdef TAG
	rm -rf build/tag
	mkdir -p build/tag/build
	git archive --output build/tag/tag.tar $(TAG) buf.yaml proto
	tar -xf build/tag/tag.tar -C build/tag
	cp -R build/proto build/tag/build/proto
	$(BUF) breaking --against build/tag
else
	@echo "no tag yet to compare the protos with"
endif

.PHONY: proto-deps
proto-deps:
	rm -rf build/proto
	go run ./proto/protodeps build/proto

.PHONY: buf-ready
buf-ready: $(BUF_READY)
ifndef BUF
	@echo "no buf: install Node, or run 'make buf-go' (see proto/tools/README.md)" >&2; exit 1
endif

$(NPM_READY): proto/tools/package.json proto/tools/package-lock.json
	npm ci --prefix proto/tools --no-audit --no-fund

.PHONY: buf-go
buf-go: $(GO_BUF) ## build buf with Go, for machines without Node (takes minutes)

$(GO_BUF): proto/tools/go.mod proto/tools/go.sum
	go build -C proto/tools -o $(CURDIR)/$(GO_BUF) github.com/bufbuild/buf/cmd/buf

.PHONY: clean
clean: ## remove what was built
	rm -rf build proto/tools/node_modules plugin-foundry/node_modules
