package gen

import (
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/systems/oas"
)

// server writes the interface, the handler, and what all servers have.
func (g *generator) server() {
	g.head(serverRuntime())
	g.line("// Server is what a service has to do. An error that is an *APIError or a *Failure becomes the\n// answer; any other one becomes an answer with the status 500, and HandlerOptions.OnError gets it.")
	if len(g.model.ops) == 0 {
		g.line("type Server interface{}\n")
	} else {
		g.line("type Server interface {")
		for i, o := range g.model.ops {
			if i > 0 {
				g.line()
			}
			g.comment("\t", o.name+" answers "+o.method+" "+o.path+".", o.description)
			g.text("\t", o.name, "(ctx context.Context, r *Request")
			g.serverArguments(o)
			g.line(") (*Answer[", o.result, "], error)")
		}
		g.line("}\n")
	}
	g.line("// NewHandler returns a handler that calls s.\nfunc NewHandler(s Server, o HandlerOptions) http.Handler {\n\th := &router{options: &o}")
	for _, o := range g.model.ops {
		g.handle(o)
	}
	g.text("\treturn h\n}\n\n", serverRuntime().body)
}

// serverArguments writes those of a method after the request. The Content-Type of a
// body is one of its headers.
func (g *generator) serverArguments(o *operation) {
	if len(o.params) > 0 {
		g.text(", params ", o.paramsType)
	}
	if o.body.contentType != "" {
		g.text(", body ", o.body.typ.text)
	}
}

// route returns the expression for the operation.
func (g *generator) route(o *operation) string {
	var b strings.Builder
	b.WriteString("&Route{Operation: " + quote(o.name) + ", Method: " + quote(o.method) + ", Path: " + quote(o.path))
	if len(o.tags) > 0 {
		b.WriteString(", Tags: []string{" + quotes(o.tags) + "}")
	}
	if len(o.security) > 0 {
		b.WriteString(", Security: [][]Credential{")
		for i, alternative := range o.security {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString("{")
			first := true
			for c := range alternative.All() {
				if !first {
					b.WriteString(", ")
				}
				first = false
				b.WriteString(g.credential(c))
			}
			b.WriteString("}")
		}
		b.WriteString("}")
	}
	b.WriteString("}")
	return b.String()
}

// credential returns the literal for one that an operation demands.
func (g *generator) credential(c oas.Node) string {
	scheme := g.model.resolve(g.model.doc.Root().Get("components").Get("securitySchemes").Get(c.Key()))
	if g.model.doc.Root().Get("swagger").Exists() {
		scheme = g.model.doc.Root().Get("securityDefinitions").Get(c.Key())
	}
	typ, name := scheme.Get("type").Str(), scheme.Get("name").Str()
	switch typ {
	case "basic": // version 2.0
		typ, name = "http", "basic"
	case "http":
		name = scheme.Get("scheme").Str()
	}
	text := "{Scheme: " + quote(c.Key()) + ", Type: " + quote(typ)
	if in := scheme.Get("in").Str(); in != "" {
		text += ", In: " + quote(in)
	}
	if name != "" {
		text += ", Name: " + quote(name)
	}
	var scopes []string
	for s := range c.All() {
		scopes = append(scopes, s.Str())
	}
	if len(scopes) > 0 {
		text += ", Scopes: []string{" + quotes(scopes) + "}"
	}
	return text + "}"
}

func (g *generator) handle(o *operation) {
	g.line("\th.add(", g.route(o), ", func(in *input) {")
	arguments := "in.Context(), in.Request"
	if len(o.params) > 0 {
		g.line("\t\tvar params ", o.paramsType)
		for _, p := range o.params {
			g.receive(p)
		}
		for _, p := range o.params {
			if p.key != "" {
				g.line("\t\tin.fits(", p.place(), ", ", quote(p.key), ", params.", p.field, ")")
			}
		}
		arguments += ", params"
	}
	if b := o.body; b.contentType != "" {
		g.line("\t\tin.sends(", quote(b.contentType), ")")
		switch {
		case b.isParts():
			g.receiveParts(b)
			arguments += ", body"
		case b.isJSON:
			g.line("\t\tbody := jsonBody[", b.typ.text, "](in, ", strconv.FormatBool(b.required), ", ", quote(b.key), ")")
			arguments += ", body"
		case b.form:
			typ, pointer := b.typ.text, ""
			if strings.HasPrefix(typ, "*") {
				typ, pointer = typ[1:], "&"
			}
			g.text("\t\tbody := formBody[", typ, "](in, ", strconv.FormatBool(b.required), ", ", quote(b.key), ", ", b.object.listed())
			for _, key := range b.object.texts {
				g.text(", ", quote(key))
			}
			g.line(")")
			arguments += ", " + pointer + "body"
		default:
			arguments += ", in.Body"
		}
	}
	if len(o.params) > 0 || o.body.contentType != "" {
		g.line("\t\tif in.refused() {\n\t\t\treturn\n\t\t}")
	}
	g.line("\t\ta, err := s.", o.name, "(", arguments, ")\n\t\tif in.failed(err) {\n\t\t\treturn\n\t\t}")
	g.writeResponse(o)
	g.line("\t})")
}

// writeResponse writes how the answer of a method is sent.
func (g *generator) writeResponse(o *operation) {
	if o.result == "NoBody" {
		g.line("\t\tanswerBare(in, ", o.status, ", a)")
		return
	}
	g.line("\t\tif a == nil {\n\t\t\ta = new(Answer[", o.result, "])\n\t\t}")
	if o.resultType == "" {
		for _, r := range o.responses {
			if r.success && r.body.contentType != "" {
				status := o.status
				if isStatus(r.status) {
					status = r.status
				}
				g.line("\t\t", answerCall(r.body, status, "a.Body"))
				return
			}
		}
		return
	}
	g.line("\t\tswitch {")
	for _, r := range o.responses {
		if r.field == "" {
			continue
		}
		status := o.status
		if isStatus(r.status) {
			status = r.status
		}
		g.line("\t\tcase a.Body.", r.field, " != nil:\n\t\t\t", answerCall(r.body, status, "a.Body."+r.field))
	}
	g.line("\t\tdefault:\n\t\t\tanswerBare(in, ", o.status, ", a)\n\t\t}")
}

func answerCall(b body, status, value string) string {
	head := "in, a.Status, " + status + ", a.Header, "
	switch {
	case b.events:
		return "answerEvents(" + head + value + ")"
	case b.isJSON:
		return "answerJSON(" + head + quote(b.contentType) + ", " + value + ")"
	}
	return "answerStream(" + head + quote(b.contentType) + ", " + value + ")"
}

// place returns the expression for where a parameter stands.
func (p *param) place() string { return "place{" + quote(p.in) + ", " + quote(p.name) + "}" }

// listed returns the expression for the members that are lists.
func (o *object) listed() string {
	if len(o.lists) == 0 {
		return "nil"
	}
	return "[]string{" + quotes(o.lists) + "}"
}

// receiveParts writes how a body in fields and files is read.
func (g *generator) receiveParts(b body) {
	g.line("\t\tdefer in.close()\n\t\tvar body ", b.typ.text, "\n\t\tif in.parts(", strconv.FormatBool(b.required), ") {")
	if !b.required {
		g.line("\t\t\tbody = new(", b.partsType, ")")
	}
	for _, p := range b.parts {
		place := "place{\"body\", " + quote(p.name) + "}"
		g.text("\t\t\tbody.", p.field, " = ")
		switch to := "to" + p.conv; {
		case p.conv == "File" && p.list:
			g.line("in.fileList(", place, ", ", strconv.FormatBool(p.required), ")")
		case p.conv == "File" && p.required:
			g.line("in.requiredFile(", place, ")")
		case p.conv == "File":
			g.line("in.optionalFile(", place, ")")
		default:
			if p.conv == "JSON" {
				to += "[" + p.json.text + "]"
			}
			values := "in.part(" + quote(p.name) + ")"
			if p.list && p.sep != "" {
				values = "split(" + values + ", " + quote(p.sep) + ")"
			}
			g.line(p.reader(), "(in, ", place, ", ", values, ", ", to, ")")
		}
	}
	for _, p := range b.parts {
		if p.key != "" {
			g.line("\t\t\tin.fits(place{\"body\", ", quote(p.name), "}, ", quote(p.key), ", body.", p.field, ")")
		}
	}
	g.line("\t\t}")
}

// reader returns the function of the runtime that reads the values of a parameter.
func (p *param) reader() string {
	switch {
	case p.list && p.required:
		return "requiredList"
	case p.list:
		return "list"
	case p.required:
		return "required"
	case p.bare:
		return "orNil"
	}
	return "optional"
}

func (g *generator) receive(p *param) {
	key := p.name
	if p.in == "cookie" {
		key = cookieName(key)
	}
	values := "in." + p.in + "(" + quote(key) + ")"
	if p.prefix != "" {
		values = "cut(" + values + ", " + quote(p.prefix) + ")"
	}
	if p.object != nil {
		g.receiveObject(p, values)
		return
	}
	if p.list && p.sep != "" {
		values = "split(" + values + ", " + quote(p.sep) + ")"
	}
	read := p.reader()
	if p.byDefault != "" && read == "optional" {
		g.line("\t\tparams.", p.field, " = byDefault(in, ", p.place(), ", ", values, ", to", p.conv, ", ", quote(p.byDefault), ")")
		return
	}
	g.line("\t\tparams.", p.field, " = ", read, "(in, ", p.place(), ", ", values, ", to", p.conv, ")")
}

func (g *generator) receiveObject(p *param, values string) {
	found, read := "in.flat("+values+", "+quote(p.object.between)+", "+quote(p.sep)+")", "object"
	switch p.object.way {
	case deep:
		found = "in.deep(" + quote(p.name) + ")"
	case apart:
		found = "in.apart(" + quotes(p.object.members) + ")"
	}
	if p.object.pointer {
		read = "optionalObject"
	}
	g.text("\t\tparams.", p.field, " = ", read, "[", p.object.typ.text, "](in, ", p.place(), ", ", strconv.FormatBool(p.required), ", ", found, ", ", p.object.listed())
	for _, key := range p.object.texts {
		g.text(", ", quote(key))
	}
	g.line(")")
}
