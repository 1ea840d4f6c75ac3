module github.com/poolproof/poolproof/cmd/poolproof/internal/lab

go 1.26.0

require (
	github.com/pelletier/go-toml/v2 v2.4.3
	github.com/poolproof/poolproof v0.0.0
	github.com/poolproof/poolproof/cmd/poolproof v0.0.0
	golang.org/x/perf v0.0.0-20260908200009-22c9c6c9d4da
	golang.org/x/tools v0.52.0
)

require (
	al.essio.dev/pkg/shellescape v1.6.0 // indirect
	github.com/aclements/go-moremath v0.0.0-20210112150236-f10218a38794 // indirect
	github.com/bluekeyes/go-gitdiff v0.9.0 // indirect
	github.com/google/pprof v0.0.0-20261105003125-4bf881d7fb0b // indirect
	github.com/mitchellh/colorstring v0.0.0-20190213212951-d06e56a500db // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	github.com/rogpeppe/go-internal v1.16.0 // indirect
	github.com/schollz/progressbar/v3 v3.19.1 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/term v0.47.0 // indirect
)

// Nothing is published yet, and nobody installs the laboratory.
replace (
	github.com/poolproof/poolproof => ../../../..
	github.com/poolproof/poolproof/cmd/poolproof => ../..
)
