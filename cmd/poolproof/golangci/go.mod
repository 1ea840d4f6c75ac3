module github.com/poolproof/poolproof/cmd/poolproof/golangci

go 1.26.0

require (
	github.com/golangci/plugin-module-register v0.1.2
	github.com/poolproof/poolproof/cmd/poolproof v0.0.0
	golang.org/x/tools v0.52.0
)

// Outside of the workspace of this repository nothing is published yet.
replace github.com/poolproof/poolproof/cmd/poolproof => ../
