package orderedjsontemplates

import (
	"maps"
	"slices"
	"strings"

	orderedjson "github.com/poolproof/poolproof/studies/ordered-json"
)

// Model is the input of the templates.
type Model struct {
	Package    string
	Times      bool // a field is a time.Time
	Types      []Type
	Operations []Operation
}

// Type is a struct.
type Type struct {
	Name, Description string
	Fields            []Field
}

// Field is a field of a struct.
type Field struct {
	Name, Type, JSON string
	Required         bool
}

// Operation is a request.
type Operation struct {
	Name, Description string
	Method, Path      string
	PathExpression    string // of Go, with the parameters put in
	Params            []Param
	Body, Result      string // types; empty for none
}

// Param is a parameter of a request.
type Param struct{ Name, In, Type string }

// spec is the part of a document that the generator reads. The documents of
// the study ordered-json have nothing else that it would have to know.
type spec struct {
	Paths      map[string]map[string]operation
	Components struct{ Schemas map[string]schema }
}

type operation struct {
	OperationID string `yaml:"operationId"`
	Description string
	Parameters  []struct {
		Name, In string
		Schema   schema
	}
	RequestBody body `yaml:"requestBody"`
	Responses   map[string]body
}

type body struct {
	Content map[string]struct{ Schema schema }
}

type schema struct {
	Ref         string `yaml:"$ref"`
	Type        string
	Format      string
	Description string
	Items       *schema
	Required    []string
	Properties  map[string]schema
}

// Read returns the model of a document, with its parts sorted by name.
func Read(d *orderedjson.Document) (*Model, error) {
	var s spec
	if err := d.Root().Decode(&s); err != nil {
		return nil, err
	}
	m := &Model{Package: "shop"}
	for _, name := range slices.Sorted(maps.Keys(s.Components.Schemas)) {
		t := s.Components.Schemas[name]
		fields := fields(t)
		m.Types = append(m.Types, Type{name, t.Description, fields})
		m.Times = m.Times || slices.ContainsFunc(fields, func(f Field) bool { return f.Type == "time.Time" })
	}
	for _, path := range slices.Sorted(maps.Keys(s.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(s.Paths[path])) {
			m.Operations = append(m.Operations, request(path, method, s.Paths[path][method]))
		}
	}
	return m, nil
}

func fields(s schema) (fields []Field) {
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		fields = append(fields, Field{exported(name), goType(s.Properties[name]), name, slices.Contains(s.Required, name)})
	}
	return fields
}

func request(path, method string, o operation) Operation {
	r := Operation{
		Name: exported(o.OperationID), Description: o.Description,
		Method: strings.ToUpper(method), Path: path,
		Body: bodyType(o.RequestBody),
	}
	expression := `"` + path + `"`
	for _, p := range o.Parameters {
		r.Params = append(r.Params, Param{p.Name, p.In, goType(p.Schema)})
		expression = strings.ReplaceAll(expression, "{"+p.Name+"}", `" + url.PathEscape(`+p.Name+`) + "`)
	}
	r.PathExpression = strings.TrimSuffix(expression, ` + ""`)
	for _, status := range slices.Sorted(maps.Keys(o.Responses)) {
		if strings.HasPrefix(status, "2") {
			r.Result = bodyType(o.Responses[status])
		}
	}
	return r
}

func bodyType(b body) string {
	if content, ok := b.Content["application/json"]; ok {
		return goType(content.Schema)
	}
	return ""
}

func goType(s schema) string {
	switch {
	case s.Ref != "":
		return s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]
	case s.Type == "array" && s.Items != nil:
		return "[]" + goType(*s.Items)
	case s.Type == "integer":
		return "int64"
	case s.Type == "number":
		return "float64"
	case s.Type == "boolean":
		return "bool"
	case s.Type == "string" && s.Format == "date-time":
		return "time.Time"
	case s.Type == "string":
		return "string"
	}
	return "any"
}

// exported returns name as Go exports it.
func exported(name string) string {
	if name == "id" {
		return "ID"
	}
	return strings.ToUpper(name[:1]) + name[1:]
}
