package gen

import (
	"strconv"
	"strings"
)

func quote(s string) string { return strconv.Quote(s) }

// server writes the interface, the handler, and what all servers have.
func (g *generator) server() {
	g.text(header, "package ", g.name, "\n\n", serverImports)
	g.line("// Server is what a service has to do. An error that is an *APIError becomes the answer; any\n// other one becomes an answer with the status 500.")
	if len(g.ops) == 0 {
		g.line("type Server interface{}\n")
	} else {
		g.line("type Server interface {")
		for i, o := range g.ops {
			if i > 0 {
				g.line()
			}
			g.comment("\t", o.name+" answers "+o.method+" "+o.path+"."+o.typeComment(), o.description)
			g.text("\t", o.name, "(ctx context.Context")
			g.arguments(o)
			g.line(") ", results(o.result.typ.text))
		}
		g.line("}\n")
	}
	g.line("// NewHandler returns a handler that calls s.\nfunc NewHandler(s Server) http.Handler {\n\th := new(router)")
	for _, o := range g.ops {
		g.route(o)
	}
	g.text("\treturn h\n}\n\n", routerRuntime, "\n", serverRuntime)
}

func (g *generator) route(o *operation) {
	g.line("\th.add(", quote(o.method), ", ", quote(o.path), ", func(in *input) {")
	arguments := "in.context()"
	if len(o.params) > 0 {
		g.line("\t\tvar params ", o.paramsType)
		for _, p := range o.params {
			g.receive(p)
		}
		arguments += ", params"
	}
	switch b := o.body; {
	case b.contentType == "":
	case b.isJSON:
		g.line("\t\tbody := jsonBody[", b.typ.text, "](in, ", strconv.FormatBool(b.required), ")")
		arguments += ", body"
	case b.chosen:
		arguments += `, in.request.Header.Get("Content-Type"), in.request.Body`
	default:
		arguments += ", in.request.Body"
	}
	if len(o.params) > 0 || o.body.isJSON {
		g.line("\t\tif in.refused() {\n\t\t\treturn\n\t\t}")
	}
	switch r := o.result; {
	case r.typ.text == "":
		g.line("\t\terr := s.", o.name, "(", arguments, ")")
		g.line("\t\tin.answer(", o.status, ", err)")
	case r.isJSON:
		g.line("\t\tout, err := s.", o.name, "(", arguments, ")")
		g.line("\t\tin.answerJSON(", o.status, ", ", quote(r.contentType), ", out, err)")
	default:
		g.line("\t\tout, err := s.", o.name, "(", arguments, ")")
		g.line("\t\tin.answerBytes(", o.status, ", ", quote(r.contentType), ", out, err)")
	}
	g.line("\t})")
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
	read := "optional"
	switch {
	case p.list && p.required:
		read = "requiredList"
	case p.list:
		read = "list"
	case p.required:
		read = "required"
	}
	g.line("\t\tparams.", p.field, " = ", read, "(in, ", quote(p.name), ", ", values, ", to", p.conv, ")")
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
	lists := "nil"
	if len(p.object.lists) > 0 {
		lists = "[]string{" + quotes(p.object.lists) + "}"
	}
	g.text("\t\tparams.", p.field, " = ", read, "[", p.object.typ.text, "](in, ", quote(p.name), ", ", strconv.FormatBool(p.required), ", ", found, ", ", lists)
	for _, key := range p.object.texts {
		g.text(", ", quote(key))
	}
	g.line(")")
}

func quotes(texts []string) string {
	quoted := make([]string, len(texts))
	for i, s := range texts {
		quoted[i] = quote(s)
	}
	return strings.Join(quoted, ", ")
}
