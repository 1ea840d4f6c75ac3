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
	g.doc, g.name, g.noted = d, o.Package, o.Note
	if g.read(); g.err != nil {
		return g.err
	}
	write(g)
	return nil
}

// generator is the state of one run: what was read of the document, and what is
// written. Its tables and buffers are used again.
type generator struct {
	doc     *oas.Doc
	name    string
	refs    map[string]oas.Node // components, by the reference to them
	made    map[oas.Node]*decl  // declarations, by what they are for
	merged  map[oas.Node]*merged
	steps   int // of merging, which are limited
	err     error
	noted   func(Note)
	said    map[oas.Node]bool
	keys    map[string]bool   // of tableOrder
	table   []tableEntry      // schemas that values are checked against
	places  map[oas.Node]Note // of all values, once one has been noted
	names   names             // identifiers of the package that are taken
	methods names             // names of operations that are taken

	decls []*decl // in the order in which they are written; more come while it is worked on
	ops   []*operation

	out   []byte
	rows  rows
	words []byte // scratch of comments
}

// generators keeps the maps and buffers. What is put must not hold on to a
// document.
var generators = pool.New(pool.Options[generator]{
	Name: "oas generator",
	New: func() *generator {
		return &generator{refs: map[string]oas.Node{}, made: map[oas.Node]*decl{}, merged: map[oas.Node]*merged{}, said: map[oas.Node]bool{}, keys: map[string]bool{}, names: names{}, methods: names{}}
	},
	Reset: func(g *generator) {
		clear(g.refs)
		clear(g.made)
		clear(g.merged)
		clear(g.said)
		clear(g.keys)
		clear(g.table)
		clear(g.names)
		clear(g.methods)
		clear(g.decls)
		clear(g.ops)
		g.doc, g.name, g.err, g.steps, g.noted, g.places = nil, "", nil, 0, nil, nil
		g.table = g.table[:0]
		g.decls, g.ops, g.out, g.words = g.decls[:0], g.ops[:0], g.out[:0], g.words[:0]
		g.rows.reset()
	},
	Size:    func(g *generator) int { return cap(g.out) + 64*(cap(g.decls)+len(g.made)+len(g.refs)+len(g.names)) },
	MaxSize: 4 << 20,
})

// reserved are the exported names of the runtime.
var reserved = []string{
	"Client", "Server", "NewHandler", "Answer", "NoBody", "Events", "Event", "APIError", "Failure", "Nullable", "NullableOf", "InvalidError",
	"Date", "DateOf", "ParseDate", "UUID", "ParseUUID", "FilePart",
	"Route", "RouteOf", "Credential", "HandlerOptions", "Request", "RequestError", "StatusOf",
}

// read finds all operations and all types.
func (g *generator) read() {
	for _, name := range reserved {
		g.names[name] = 1
	}
	for _, name := range []string{"BaseURL", "HTTP", "Edit"} {
		g.methods[name] = 1
	}
	g.components()
	g.operations()
	for i := 0; i < len(g.decls); i++ {
		g.fill(g.decls[i])
	}
	g.optionals()
	g.cutCircles()
	g.tables()
}

// components indexes what references name, and declares the schemas.
func (g *generator) components() {
	root := g.doc.Root()
	sections := func(prefix string, all oas.Node) {
		for section := range all.All() {
			for c := range section.All() {
				if section.Kind() == oas.Object {
					g.refs[prefix+section.Key()+"/"+c.Key()] = c
				}
			}
		}
	}
	sections("#/components/", root.Get("components"))
	if root.Get("swagger").Exists() {
		for _, key := range []string{"definitions", "parameters", "responses"} {
			for c := range root.Get(key).All() {
				g.refs["#/"+key+"/"+c.Key()] = c
			}
		}
	}
	for _, all := range []oas.Node{root.Get("components").Get("schemas"), root.Get("definitions")} {
		for c := range all.All() {
			if c.Kind() == oas.Object {
				g.declare(oas.Schema{Node: c}, c.Key()).component = true
			}
		}
	}
}
