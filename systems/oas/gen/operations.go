package gen

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/systems/oas"
)

// operations reads all of them, in the order of the document. The names of all
// are taken before any type in them is named.
func (m *model) operations() {
	for o := range m.doc.Operations() {
		name := o.ID()
		if name == "" {
			name = strings.ToLower(o.Method()) + " " + strings.NewReplacer("{", " ", "}", " ").Replace(o.Path())
		}
		m.ops = append(m.ops, &operation{
			name: unique(m.methods, exported(name)), method: o.Method(), path: o.Path(), description: o.Summary() + " " + o.Description(),
		})
	}
	for _, o := range m.ops {
		o.paramsType = unique(m.names, o.name+"Params")
	}
	i := 0
	for o := range m.doc.Operations() {
		m.operation(m.ops[i], o)
		i++
	}
}

func (m *model) operation(to *operation, o oas.Operation) {
	var all []oas.Parameter
	for _, list := range []oas.Node{o.PathItem().Get("parameters"), o.Get("parameters")} {
		for n := range list.All() {
			p := oas.Parameter{Node: m.resolve(n)}
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
	taken := names{}
	var form []oas.Parameter
	for _, p := range all {
		switch in := p.In(); in {
		case "query", "header", "cookie", "path", "querystring":
			if in == "path" && !slices.Contains(inPath, p.Name()) || in == "header" && m.noHeader(p.Name()) {
				m.note(p.Node, "the parameter is left out: "+map[bool]string{true: "the path has no such name", false: "no request can have a header of this name, or OpenAPI demands to ignore it"}[in == "path"])
				continue
			}
			if read := m.param(p, to.name, taken); read != nil {
				to.params = append(to.params, read)
			} else {
				m.note(p.Node, "the parameter is left out: its type cannot be written as text")
			}
		case "body":
			if t := m.mediaType(o, "consumes"); isJSON(t) {
				to.body = m.jsonBody(t, oas.Schema{Node: p.Get("schema")}, to.name+"Body", p.Required())
			} else {
				to.body = body{contentType: t, typ: reader, required: p.Required()}
			}
		case "formData":
			form = append(form, p)
		}
	}
	for _, name := range inPath {
		if !slices.ContainsFunc(to.params, func(p *param) bool { return p.in == "path" && p.name == name }) {
			to.params = append(to.params, &param{field: unique(taken, exported(name)), name: name, in: "path", conv: "String", required: true})
		}
	}
	if len(form) > 0 {
		m.formData(to, form)
	}
	if n := m.resolve(o.Get("requestBody")); n.Kind() == oas.Object {
		b := oas.RequestBody{Node: n}
		to.body = m.content(n.Get("content"), to.name+"Body", b.Required())
		if to.body.contentType != "" && !to.body.isJSON {
			m.formBody(to, n.Get("content").Get(to.body.contentType).Get("schema"))
		}
		if to.body.base() == "multipart/form-data" {
			m.parts(to, n.Get("content").Get(to.body.contentType))
		}
		if !to.body.typed() && !to.body.isParts() && to.body.contentType != "" {
			to.body.typ = reader
			to.body.chosen = to.body.inParts() || strings.Contains(to.body.contentType, "*")
		}
	}
	for t := range o.Get("tags").All() {
		to.tags = append(to.tags, t.Str())
	}
	m.demands(to, o)
	m.results(to, o)
}

// formData reads the parameters of a form of version 2.0.
func (m *model) formData(to *operation, form []oas.Parameter) {
	taken := names{}
	to.body.contentType = "application/x-www-form-urlencoded"
	for _, p := range form {
		part := m.part(p.Name(), p.Schema(), to.name+"Body", oas.Node{}, taken)
		part.required = p.Required()
		to.body.required = to.body.required || part.required
		switch format := p.Get("collectionFormat").Str(); {
		case part.conv == "File":
			to.body.contentType = "multipart/form-data"
		case part.list:
			part.sep = map[string]string{"multi": "", "ssv": " ", "tsv": "\t", "pipes": "|"}[format]
			if format == "" || format == "csv" {
				part.sep = ","
			}
		}
		to.body.parts = append(to.body.parts, part)
	}
	m.nameParts(to)
}

// formBody makes a body a Go value if it is a form of simple members.
func (m *model) formBody(to *operation, schema oas.Node) {
	if to.body.base() != "application/x-www-form-urlencoded" {
		return
	}
	p := param{in: "query"}
	s := oas.Schema{Node: m.resolve(schema)}
	if to.body.object = m.object(s, to.name+"Body", "deepObject", true, &p); to.body.object == nil {
		return
	}
	to.body.form, to.body.typ, to.body.key = true, m.typeOf(oas.Schema{Node: schema}, to.name+"Body"), m.schemaKey(schema)
}

// demands finds the credentials that an operation demands.
func (m *model) demands(to *operation, o oas.Operation) {
	all := o.Get("security")
	if !all.Exists() {
		all = m.doc.Root().Get("security")
	}
	for alternative := range all.All() {
		if alternative.Kind() == oas.Object {
			to.security = append(to.security, alternative)
		}
	}
}

// results reads the answers of an operation. Those of success are 2XX, and default if
// there is none of these.
func (m *model) results(to *operation, o oas.Operation) {
	some := false
	for r := range o.Responses() {
		status := r.Key()
		if strings.HasPrefix(status, "x-") {
			continue
		}
		to.responses = append(to.responses, &response{status: strings.ToUpper(status), success: status[:min(1, len(status))] == "2"})
		some = some || to.responses[len(to.responses)-1].success
	}
	i := 0
	types := map[string]bool{}
	for r := range o.Responses() {
		if strings.HasPrefix(r.Key(), "x-") {
			continue
		}
		to.responses[i].read(m, to, o, r.Node, some)
		if b := to.responses[i].body; to.responses[i].success && b.contentType != "" {
			types[b.typ.text] = true
			to.result = b.typ.text
		}
		i++
	}
	to.responses = slices.DeleteFunc(to.responses, func(r *response) bool { return len(r.status) != 3 && r.status != "DEFAULT" })
	if to.status == "" {
		to.status = "204"
		if slices.ContainsFunc(to.responses, func(r *response) bool { return r.success }) {
			to.status = "200"
		}
	}
	switch {
	case len(types) == 0:
		to.result = "NoBody"
	case len(types) > 1:
		to.resultType = unique(m.names, to.name+"Result")
		to.result = to.resultType
		for _, r := range to.responses {
			if r.success && r.body.contentType != "" {
				if r.field = "Status" + r.status; r.status == "DEFAULT" {
					r.field = "Default"
				}
			}
		}
	}
}

// read finds the body of a response.
func (r *response) read(m *model, to *operation, o oas.Operation, response oas.Node, some bool) {
	if strings.EqualFold(r.status, "default") {
		r.success = !some
	}
	_, err := strconv.Atoi(r.status)
	if r.success && to.status == "" && err == nil {
		to.status = r.status
	}
	name := to.name + "Result"
	if !r.success {
		name = to.name + "Failure"
	}
	n := m.resolve(response)
	if schema := n.Get("schema"); schema.Exists() { // version 2.0
		switch t := m.mediaType(o, "produces"); {
		case !isJSON(t):
			r.body = body{contentType: t}
		case schema.Get("type").Is("file"):
			r.body = body{contentType: anyBytes}
		default:
			r.body = m.jsonBody(t, oas.Schema{Node: schema}, name, true)
		}
	} else {
		r.body = m.content(n.Get("content"), name, true)
	}
	switch base := r.body.base(); {
	case r.status == "204" || r.status == "205" || r.status == "304" || to.method == "HEAD":
		r.body = body{} // these have no body
	case r.body.contentType == "" || r.body.isJSON:
	case base == "text/event-stream":
		r.body.events, r.body.typ = true, goType{text: "Events", nilable: true}
	default:
		r.body.typ = goType{text: "io.ReadCloser", nilable: true}
		if strings.Contains(r.body.contentType, "*") {
			r.body.contentType = anyBytes
		}
	}
}

// content chooses JSON, if that is one of the media types, or else the first.
func (m *model) content(content oas.Node, name string, required bool) body {
	var first body
	for media := range content.All() {
		t := media.Key()
		if isJSON(t) {
			return m.jsonBody(t, oas.Schema{Node: m.resolve(media).Get("schema")}, name, required)
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

func (m *model) jsonBody(contentType string, s oas.Schema, name string, required bool) body {
	return body{contentType: contentType, isJSON: true, typ: m.typeOf(s, name), required: required, key: m.schemaKey(s.Node)}
}

// mediaType returns one of a list of version 2.0, that of the operation or else
// that of the document: JSON, if the list has it or says nothing, or else the
// first.
func (m *model) mediaType(o oas.Operation, list string) string {
	types := o.Get(list)
	if !types.Exists() {
		types = m.doc.Root().Get(list)
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
