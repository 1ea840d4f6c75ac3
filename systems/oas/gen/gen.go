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

	// Parts are what [Generate] writes; all of them if it is 0. Client and Server
	// use what is in Types.
	Parts Part
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
// need not be without problems ([oas.Doc.Check]): what is not understood becomes
// any, or is left out. The error says what is wrong with the options or that
// the document is empty. Generate may be called by many goroutines at a time.
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
	if !token.IsIdentifier(o.Package) {
		return fmt.Errorf("gen: the package name %q is not a Go identifier", o.Package)
	}
	if !d.Root().Exists() {
		return fmt.Errorf("gen: the document is empty")
	}
	g := generators.Get()
	defer generators.Put(g)
	g.doc, g.name = d, o.Package
	g.read()
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
	names   map[string]bool     // identifiers of the package that are taken
	methods map[string]bool     // names of operations that are taken

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
		return &generator{refs: map[string]oas.Node{}, made: map[oas.Node]*decl{}, names: map[string]bool{}, methods: map[string]bool{}}
	},
	Reset: func(g *generator) {
		clear(g.refs)
		clear(g.made)
		clear(g.names)
		clear(g.methods)
		clear(g.decls)
		clear(g.ops)
		g.doc, g.name = nil, ""
		g.decls, g.ops, g.out, g.words = g.decls[:0], g.ops[:0], g.out[:0], g.words[:0]
		g.rows.reset()
	},
	Size:    func(g *generator) int { return cap(g.out) + 64*(cap(g.decls)+len(g.made)+len(g.refs)+len(g.names)) },
	MaxSize: 4 << 20,
})

// read finds all operations and all types.
func (g *generator) read() {
	for _, name := range []string{"Client", "Server", "APIError", "NewHandler"} {
		g.names[name] = true
	}
	for _, name := range []string{"BaseURL", "HTTP", "Edit"} {
		g.methods[name] = true
	}
	g.components()
	g.operations()
	for i := 0; i < len(g.decls); i++ {
		g.fill(g.decls[i])
	}
	g.optionals()
	g.cutCircles()
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

// resolve follows references; what leads nowhere does not exist.
func (g *generator) resolve(n oas.Node) oas.Node {
	for range 32 {
		ref, ok := n.Ref()
		if !ok {
			return n
		}
		target, known := g.refs[ref]
		if !known {
			target, _ = g.doc.Resolve(n)
			return target
		}
		n = target
	}
	return oas.Node{}
}
