package gen

import "github.com/poolproof/poolproof/systems/oas"

// model holds the declarations that were read of a document.
type model struct {
	doc     *oas.Doc
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
}

func newModel() *model {
	return &model{refs: map[string]oas.Node{}, made: map[oas.Node]*decl{}, merged: map[oas.Node]*merged{}, said: map[oas.Node]bool{}, keys: map[string]bool{}, names: names{}, methods: names{}}
}

// reset forgets the document, and keeps the memory.
func (m *model) reset() {
	clear(m.refs)
	clear(m.made)
	clear(m.merged)
	clear(m.said)
	clear(m.keys)
	clear(m.table)
	clear(m.names)
	clear(m.methods)
	clear(m.decls)
	clear(m.ops)
	m.doc, m.err, m.steps, m.noted, m.places = nil, nil, 0, nil, nil
	m.table, m.decls, m.ops = m.table[:0], m.decls[:0], m.ops[:0]
}

// size is about how much memory the model keeps, in words of eight bytes.
func (m *model) size() int { return cap(m.decls) + len(m.made) + len(m.refs) + len(m.names) }

// reserved are the exported names of the runtime.
var reserved = []string{
	"Client", "Server", "NewHandler", "Answer", "NoBody", "Events", "Event", "APIError", "Failure", "Nullable", "NullableOf", "InvalidError",
	"Date", "DateOf", "ParseDate", "UUID", "ParseUUID", "FilePart",
	"Route", "RouteOf", "Credential", "HandlerOptions", "Request", "RequestError", "StatusOf",
}

// read finds all operations and all types of a document. noted is told what the code
// will not express.
func (m *model) read(d *oas.Doc, noted func(Note)) error {
	m.doc, m.noted = d, noted
	for _, name := range reserved {
		m.names[name] = 1
	}
	for _, name := range []string{"BaseURL", "HTTP", "Edit"} {
		m.methods[name] = 1
	}
	m.components()
	m.operations()
	for i := 0; i < len(m.decls); i++ {
		m.fill(m.decls[i])
	}
	m.optionals()
	m.cutCircles()
	m.tables()
	return m.err
}

// components indexes what references name, and declares the schemas.
func (m *model) components() {
	root := m.doc.Root()
	sections := func(prefix string, all oas.Node) {
		for section := range all.All() {
			for c := range section.All() {
				if section.Kind() == oas.Object {
					m.refs[prefix+section.Key()+"/"+c.Key()] = c
				}
			}
		}
	}
	sections("#/components/", root.Get("components"))
	if root.Get("swagger").Exists() {
		for _, key := range []string{"definitions", "parameters", "responses"} {
			for c := range root.Get(key).All() {
				m.refs["#/"+key+"/"+c.Key()] = c
			}
		}
	}
	for _, all := range []oas.Node{root.Get("components").Get("schemas"), root.Get("definitions")} {
		for c := range all.All() {
			if c.Kind() == oas.Object {
				m.declare(oas.Schema{Node: c}, c.Key()).component = true
			}
		}
	}
}
