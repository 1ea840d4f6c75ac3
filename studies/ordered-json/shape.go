package orderedjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Shape says what document Source writes: an OpenAPI 3.0 description of an
// interface to resources, which are things such as orders and invoices.
type Shape struct {
	Resources  int // each has a schema and, at most five, operations
	Operations int // of each resource
	Properties int // of each schema
	Words      int // of each description
	Size       int // in bytes, of the compact JSON; 0 for what it comes to

	JSON bool // the source is JSON with indents, not YAML
}

// The published benchmarks have three documents, whose compact JSON takes so
// many bytes. The other numbers are chosen so that marshalling allocates about
// as often as it did there, and so that json.Indent, which guesses that
// indenting doubles a document, guesses a little too low for Medium, as it did
// there.
var (
	Small  = Shape{Resources: 1, Operations: 1, Properties: 7, Words: 4, Size: 940}
	Medium = Shape{Resources: 5, Operations: 5, Properties: 5, Words: 1, Size: 9_527}
	Large  = Shape{Resources: 57, Operations: 5, Properties: 6, Words: 2, Size: 112_975}
)

// Petstore3 is as large as the example that everybody knows, version 3 of the
// pet store, and kept as that is, as JSON with indents: 16,104 bytes of compact
// JSON in about twice as many of source, and marshalling allocates as often
// within 1 %. TestPetstore3IsOfTheSizeOfTheOriginal holds it to that.
var Petstore3 = Shape{Resources: 8, Operations: 4, Properties: 5, Words: 7, Size: 16_104, JSON: true}

// Source returns the document, the same bytes at each call. The caller owns
// it. The error says by how many bytes Size is too small.
func (s Shape) Source() ([]byte, error) {
	source := s.source("")
	if s.Size == 0 && !s.JSON {
		return source, nil
	}
	out, err := compact(source)
	if err != nil {
		return nil, err
	}
	if s.Size > 0 {
		if len(out) > s.Size {
			return nil, fmt.Errorf("compact JSON takes %d bytes, %d more than wanted; use fewer resources, operations, properties or words", len(out), len(out)-s.Size)
		}
		source = s.source(strings.Repeat("x", s.Size-len(out)))
	}
	if !s.JSON {
		return source, nil
	}
	if out, err = compact(source); err != nil {
		return nil, err
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, out, "", "  "); err != nil {
		return nil, err
	}
	return indented.Bytes(), nil
}

// compact returns the compact JSON of a document in YAML.
func compact(source []byte) ([]byte, error) {
	d, err := Parse(source)
	if err != nil {
		return nil, err
	}
	return Grow(d)
}

// Document returns the document that Source writes. It panics if Size is too
// small: Shapes are constants of a program.
func (s Shape) Document() *Document {
	source, err := s.Source()
	if err != nil {
		panic(fmt.Sprintf("orderedjson: %+v: %v", s, err))
	}
	d, err := Parse(source)
	if err != nil {
		panic(fmt.Sprintf("orderedjson: %+v: %v", s, err))
	}
	return d
}

// source writes the document with padding, which may be empty. It stands at the
// end: a long string at the beginning would be most of what a buffer holds, and
// set the sizes to which it grows.
func (s Shape) source(padding string) []byte {
	w := writer{words: s.Words}
	w.line(0, "openapi: 3.0.3")
	w.line(0, "info:")
	w.line(1, "title: Shop")
	w.line(1, "version: 1.0.0")
	w.line(0, "paths:")
	for i := range s.Resources {
		w.paths(resource(i), s.Operations)
	}
	w.line(0, "components:")
	w.line(1, "schemas:")
	for i := range s.Resources {
		w.schema(resource(i), s.Properties)
	}
	w.line(0, "externalDocs:")
	w.line(1, "description: '%s'", padding)
	w.line(1, "url: https://example.com/docs")
	return []byte(w.out.String())
}

// name holds the forms of a resource's name.
type name struct{ one, many, schema string } // as order3, orders3, Order3

var nouns = []string{"order", "invoice", "customer", "product", "payment", "shipment", "address", "voucher"}

func resource(i int) name {
	noun, number := nouns[i%len(nouns)], ""
	if i >= len(nouns) {
		number = fmt.Sprint(i / len(nouns))
	}
	return name{
		one:    noun + number,
		many:   noun + "s" + number,
		schema: strings.ToUpper(noun[:1]) + noun[1:] + number,
	}
}

// writer writes YAML.
type writer struct {
	out   strings.Builder
	words int // of a description
	next  int // word
}

// line writes one line, indented by two spaces a level.
func (w *writer) line(level int, format string, args ...any) {
	w.out.WriteString(strings.Repeat("  ", level))
	fmt.Fprintf(&w.out, format, args...)
	w.out.WriteByte('\n')
}

var vocabulary = strings.Fields(`the service returns what was stored under this number and keeps it until
	somebody removes it or a newer one takes its place which may be at any time after the last request`)

// description writes the next words.
func (w *writer) description(level int) {
	if w.words == 0 {
		return
	}
	var text []string
	for range w.words {
		text = append(text, vocabulary[w.next%len(vocabulary)])
		w.next++
	}
	w.line(level, "description: %s", strings.Join(text, " "))
}

// paths writes the first operations of: list and create, on the path of all,
// read, replace and remove on that of one.
func (w *writer) paths(n name, operations int) {
	if operations > 0 {
		w.line(1, "/%s:", n.many)
		w.line(2, "get:")
		w.operation("list", n)
		w.parameter("limit", "query", "integer")
		w.line(3, "responses:")
		w.response("200")
		w.line(8, "type: array")
		w.line(8, "items:")
		w.line(9, "$ref: '#/components/schemas/%s'", n.schema)
	}
	if operations > 1 {
		w.line(2, "post:")
		w.operation("create", n)
		w.body(n)
		w.line(3, "responses:")
		w.response("201")
		w.line(8, "$ref: '#/components/schemas/%s'", n.schema)
	}
	if operations > 2 {
		w.line(1, "/%s/{id}:", n.many)
		w.line(2, "get:")
		w.operation("read", n)
		w.parameter("id", "path", "string")
		w.line(3, "responses:")
		w.response("200")
		w.line(8, "$ref: '#/components/schemas/%s'", n.schema)
	}
	if operations > 3 {
		w.line(2, "put:")
		w.operation("replace", n)
		w.parameter("id", "path", "string")
		w.body(n)
		w.line(3, "responses:")
		w.response("200")
		w.line(8, "$ref: '#/components/schemas/%s'", n.schema)
	}
	if operations > 4 {
		w.line(2, "delete:")
		w.operation("remove", n)
		w.parameter("id", "path", "string")
		w.line(3, "responses:")
		w.line(4, "'204':")
		w.description(5)
	}
}

func (w *writer) operation(verb string, n name) {
	w.line(3, "operationId: %s%s", verb, n.schema)
	w.description(3)
	w.line(3, "tags: [%s]", n.many)
}

func (w *writer) parameter(name, in, kind string) {
	w.line(3, "parameters:")
	w.line(3, "- name: %s", name)
	w.line(4, "in: %s", in)
	if in == "path" {
		w.line(4, "required: true")
	}
	w.line(4, "schema: {type: %s}", kind)
}

func (w *writer) body(n name) {
	w.line(3, "requestBody:")
	w.line(4, "content:")
	w.line(5, "application/json:")
	w.line(6, "schema:")
	w.line(7, "$ref: '#/components/schemas/%s'", n.schema)
}

// response writes a response up to its schema, which the caller writes on
// level 8.
func (w *writer) response(status string) {
	w.line(4, "'%s':", status)
	w.description(5)
	w.line(5, "content:")
	w.line(6, "application/json:")
	w.line(7, "schema:")
}

// properties are those of a schema, in YAML.
var properties = []string{
	"id: {type: integer, format: int64}",
	"name: {type: string, maxLength: 80}",
	"created: {type: string, format: date-time}",
	"total: {type: number, minimum: 0.5}",
	"active: {type: boolean, default: true}",
	"labels: {type: array, items: {type: string}}",
	"status: {type: string, enum: [open, paid, closed]}",
	"note: {type: string, nullable: true}",
}

func (w *writer) schema(n name, count int) {
	w.line(2, "%s:", n.schema)
	w.line(3, "type: object")
	w.description(3)
	w.line(3, "required: [id, name]")
	w.line(3, "properties:")
	for i := range count {
		w.line(4, "%s", properties[i%len(properties)])
	}
}
