package gen

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/systems/oas"
)

// operation is a request as code is written for it.
type operation struct {
	name, paramsType string
	method, path     string
	description      string
	params           []*param
	body             body
	result           body
	status           string // of success
}

// body is what is sent or answered.
type body struct {
	contentType string // empty for none
	chosen      bool   // the caller says the type: contentType is a range, or needs a boundary
	isJSON      bool
	typ         goType
	required    bool
}

// operations reads all of them, in the order of the document. The names of all
// are taken before any type in them is named.
func (g *generator) operations() {
	for o := range g.doc.Operations() {
		name := o.ID()
		if name == "" {
			name = strings.ToLower(o.Method()) + " " + strings.NewReplacer("{", " ", "}", " ").Replace(o.Path())
		}
		g.ops = append(g.ops, &operation{
			name: unique(g.methods, exported(name)), method: o.Method(), path: o.Path(), description: o.Summary() + " " + o.Description(),
		})
	}
	for _, o := range g.ops {
		o.paramsType = unique(g.names, o.name+"Params")
	}
	i := 0
	for o := range g.doc.Operations() {
		g.operation(g.ops[i], o)
		i++
	}
}

func (g *generator) operation(to *operation, o oas.Operation) {
	var all []oas.Parameter
	for _, list := range []oas.Node{o.PathItem().Get("parameters"), o.Get("parameters")} {
		for n := range list.All() {
			p := oas.Parameter{Node: g.resolve(n)}
			at := slices.IndexFunc(all, func(other oas.Parameter) bool { return other.Name() == p.Name() && other.In() == p.In() })
			switch {
			case p.Kind() != oas.Object:
			case at >= 0:
				all[at] = p
			default:
				all = append(all, p)
			}
		}
	}
	inPath := o.PathNames()
	taken := map[string]bool{}
	form, file := false, false
	for _, p := range all {
		switch in := p.In(); in {
		case "query", "header", "cookie", "path", "querystring":
			if in == "path" && !slices.Contains(inPath, p.Name()) || in == "header" && g.noHeader(p.Name()) {
				continue
			}
			if read := g.param(p, to.name, taken); read != nil {
				to.params = append(to.params, read)
			}
		case "body":
			if t := g.mediaType(o, "consumes"); isJSON(t) {
				to.body = g.jsonBody(t, oas.Schema{Node: p.Get("schema")}, to.name+"Body", p.Required())
			} else {
				to.body = body{contentType: t, typ: reader, required: p.Required()}
			}
		case "formData":
			form, file = true, file || p.Get("type").Is("file")
		}
	}
	for _, name := range inPath {
		if !slices.ContainsFunc(to.params, func(p *param) bool { return p.in == "path" && p.name == name }) {
			to.params = append(to.params, &param{field: unique(taken, exported(name)), name: name, in: "path", conv: "String", required: true})
		}
	}
	switch {
	case form && file:
		to.body = body{contentType: "multipart/form-data", chosen: true, typ: reader}
	case form:
		to.body = body{contentType: "application/x-www-form-urlencoded", typ: reader}
	}
	if n := g.resolve(o.Get("requestBody")); n.Kind() == oas.Object {
		b := oas.RequestBody{Node: n}
		to.body = g.content(n.Get("content"), to.name+"Body", b.Required())
		if !to.body.isJSON && to.body.contentType != "" {
			to.body.typ = reader
			to.body.chosen = to.body.inParts() || strings.Contains(to.body.contentType, "*")
		}
	}
	g.result(to, o)
}

// result takes the first response of success, or else the default one.
func (g *generator) result(to *operation, o oas.Operation) {
	to.status = "200"
	var chosen oas.Node
	for r := range o.Responses() {
		if status := r.Key(); len(status) == 3 && status[0] == '2' {
			if _, err := strconv.Atoi(status); err == nil {
				to.status = status
			}
			chosen = r.Node
			break
		}
	}
	if !chosen.Exists() {
		if chosen = o.Get("responses").Get("default"); !chosen.Exists() {
			to.status = "204"
			return
		}
	}
	n := g.resolve(chosen)
	if schema := n.Get("schema"); schema.Exists() { // version 2.0
		switch t := g.mediaType(o, "produces"); {
		case !isJSON(t):
			to.result = body{contentType: t}
		case schema.Get("type").Is("file"):
			to.result = body{contentType: anyBytes}
		default:
			to.result = g.jsonBody(t, oas.Schema{Node: schema}, to.name+"Result", true)
		}
	} else {
		to.result = g.content(n.Get("content"), to.name+"Result", true)
	}
	if to.status == "204" || to.status == "205" || to.method == "HEAD" {
		to.result = body{} // these have no body
	} else if to.result.contentType != "" && !to.result.isJSON {
		to.result.typ.text = "[]byte"
		if strings.Contains(to.result.contentType, "*") {
			to.result.contentType = anyBytes
		}
	}
}

// content chooses JSON, if that is one of the media types, or else the first.
func (g *generator) content(content oas.Node, name string, required bool) body {
	var first body
	for m := range content.All() {
		t := m.Key()
		if isJSON(t) {
			return g.jsonBody(t, oas.Schema{Node: g.resolve(m).Get("schema")}, name, required)
		}
		if first.contentType == "" {
			first = body{contentType: cmp.Or(t, anyBytes), required: required}
		}
	}
	return first
}

// anyBytes is the media type of bytes of which no more is known.
const anyBytes = "application/octet-stream"

// isJSON reports whether a media type is that of JSON, or of a language in JSON.
func isJSON(mediaType string) bool {
	base, _, _ := strings.Cut(strings.ToLower(mediaType), ";")
	base = strings.TrimSpace(base)
	return base == "application/json" || strings.HasSuffix(base, "+json")
}

// inParts reports whether a boundary stands between the parts of b, which its
// Content-Type names.
func (b *body) inParts() bool { return strings.HasPrefix(strings.ToLower(b.contentType), "multipart/") }

func (g *generator) jsonBody(contentType string, s oas.Schema, name string, required bool) body {
	return body{contentType: contentType, isJSON: true, typ: g.typeOf(s, name), required: required}
}

// mediaType returns one of a list of version 2.0, that of the operation or else
// that of the document: JSON, if the list has it or says nothing, or else the
// first.
func (g *generator) mediaType(o oas.Operation, list string) string {
	types := o.Get(list)
	if !types.Exists() {
		types = g.doc.Root().Get(list)
	}
	first := ""
	for t := range types.All() {
		if isJSON(t.Str()) {
			return t.Str()
		}
		first = cmp.Or(first, t.Str())
	}
	if first == "" || strings.Contains(first, "*") {
		return "application/json"
	}
	return first
}
