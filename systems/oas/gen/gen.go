package gen

import (
	"fmt"
	"go/token"

	"github.com/poolproof/poolproof/pool"
	"github.com/poolproof/poolproof/systems/oas"
)

// Options say what is generated.
type Options struct {
	// Package is the name of the package; "api" if it is empty.
	Package string

	// Parts selects the output of [Generate]; all of it if it is 0. Client and Server
	// use what is in Types.
	Parts Part

	// Note, if it is not nil, is called for each part of the document that the code
	// does not express: a schema that became any, a parameter that is left out.
	Note func(Note)
}

// Part is a set of files that can be generated.
type Part uint8

// The parts, which can be added.
const (
	Types Part = 1 << iota
	Client
	Server
)

// Files are the sources by the name of their file.
type Files map[string][]byte

// Generate returns the files for a document, which the caller owns. The document
// need not be without problems (see package check): what is not understood becomes
// any, or is left out, and Options.Note is told. The error says what is wrong with the
// options, or that the document is empty, says no version, or has more in allOf than
// can be brought together. Generate may be called by many goroutines at a time.
func Generate(d *oas.Doc, o Options) (Files, error) {
	if o.Parts == 0 {
		o.Parts = Types | Client | Server
	}
	files := Files{}
	err := with(d, o, func(g *generator) {
		for _, part := range []struct {
			part  Part
			name  string
			write func(*generator)
		}{{Types, "types.go", (*generator).types}, {Client, "client.go", (*generator).client}, {Server, "server.go", (*generator).server}} {
			if o.Parts&part.part != 0 {
				g.out = g.out[:0]
				part.write(g)
				files[part.name] = append(make([]byte, 0, len(g.out)), g.out...)
			}
		}
	})
	return files, err
}

// AppendTypes appends the source of the types to dst. The result is the caller's.
func AppendTypes(dst []byte, d *oas.Doc, o Options) ([]byte, error) {
	return appendPart(dst, d, o, (*generator).types)
}

// AppendClient appends the source of the client, which uses the types.
func AppendClient(dst []byte, d *oas.Doc, o Options) ([]byte, error) {
	return appendPart(dst, d, o, (*generator).client)
}

// AppendServer appends the source of the server, which uses the types.
func AppendServer(dst []byte, d *oas.Doc, o Options) ([]byte, error) {
	return appendPart(dst, d, o, (*generator).server)
}

func appendPart(dst []byte, d *oas.Doc, o Options, write func(*generator)) ([]byte, error) {
	err := with(d, o, func(g *generator) {
		own := g.out
		g.out = dst
		write(g)
		dst, g.out = g.out, own
	})
	return dst, err
}

// with calls write with a generator that has read the document.
func with(d *oas.Doc, o Options, write func(*generator)) error {
	if o.Package == "" {
		o.Package = "api"
	}
	if !token.IsIdentifier(o.Package) || o.Package == "_" {
		return fmt.Errorf("gen: the package name %q is not a Go identifier that a package can have", o.Package)
	}
	if !d.Root().Exists() {
		return fmt.Errorf("gen: the document is empty")
	}
	if !d.Root().Get("openapi").Exists() && !d.Root().Get("swagger").Exists() {
		return fmt.Errorf("gen: the document has no member openapi or swagger, so it is no OpenAPI document")
	}
	g := generators.Get()
	defer generators.Put(g)
	g.name = o.Package
	if err := g.model.read(d, o.Note); err != nil {
		return err
	}
	write(g)
	return nil
}

// generator writes what was read of the document. Its tables and buffers are used
// again.
type generator struct {
	model *model
	name  string // of the package
	out   []byte
	rows  rows
	words []byte // scratch of comments
}

func newGenerator() *generator { return &generator{model: newModel()} }

// generators keeps the maps and buffers. What is put must not hold on to a
// document.
var generators = pool.New(pool.Options[generator]{
	Name: "oas generator",
	New:  newGenerator,
	Reset: func(g *generator) {
		g.model.reset()
		g.name, g.out, g.words = "", g.out[:0], g.words[:0]
		g.rows.reset()
	},
	Size:    func(g *generator) int { return cap(g.out) + 64*g.model.size() },
	MaxSize: 4 << 20,
})
