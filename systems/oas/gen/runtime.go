package gen

import (
	"embed"
	"slices"
	"strings"
	"sync"
)

// The files that all generated code has. They are built and tested where they are.
//
//go:embed internal/runtime/*.go
var runtimeFiles embed.FS

// part of the runtime: what it imports, and what comes after that.
type runtimeText struct {
	imports []string
	body    string
}

var (
	typesRuntime = sync.OnceValue(func() runtimeText {
		return runtimeOf("answer.go", "scalar.go", "valid.go", "valid_scalar.go", "route.go")
	})
	clientRuntime = sync.OnceValue(func() runtimeText { return runtimeOf("client.go", "parts.go") })
	serverRuntime = sync.OnceValue(func() runtimeText {
		return runtimeOf("router.go", "server.go", "input.go", "security.go", "values.go", "body.go", "respond.go")
	})
)

// runtimeOf joins files.
func runtimeOf(names ...string) (r runtimeText) {
	for _, name := range names {
		source, err := runtimeFiles.ReadFile("internal/runtime/" + name)
		if err != nil {
			panic(err)
		}
		_, rest, _ := strings.Cut(string(source), "import (\n")
		imports, body, _ := strings.Cut(rest, "\n)\n\n")
		r.imports = append(r.imports, strings.Split(imports, "\n")...)
		if r.body != "" {
			r.body += "\n"
		}
		r.body += body
	}
	slices.Sort(r.imports)
	r.imports = slices.Compact(r.imports)
	return r
}

// head writes the beginning of a file.
func (g *generator) head(r runtimeText) {
	g.text(header, "package ", g.name, "\n\nimport (\n", strings.Join(r.imports, "\n"), "\n)\n\n")
}

// Header begins each generated file.
const Header = "// Code generated from an OpenAPI document. DO NOT EDIT.\n"

const header = Header + "\n"
