package orderedjsontemplates

import (
	"bytes"
	"embed"
	"go/format"
	"text/template"
)

// Part is a file that is generated.
type Part string

// The parts, by the names of their templates.
const (
	Types  Part = "types.tmpl"
	Client Part = "client.tmpl"
	Server Part = "server.tmpl"
)

//go:embed templates
var files embed.FS

var templates = template.Must(template.ParseFS(files, "templates/*.tmpl"))

// execute writes the part, not formatted.
func execute(out *bytes.Buffer, p Part, m *Model) error {
	return templates.ExecuteTemplate(out, string(p), m)
}

// A Finish makes of what a template wrote what the generator returns. It must
// not keep source, and the result is the caller's.
type Finish func(source []byte) ([]byte, error)

// Formatted formats as a generator does: its result has memory of its own.
var Formatted Finish = format.Source
