package gen

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// client writes the client: what all clients have, then a method an operation.
func (g *generator) client() {
	g.head(clientRuntime())
	g.text(clientRuntime().body)
	for _, o := range g.model.ops {
		g.line()
		g.clientMethod(o)
	}
}

// sendParts writes how a body in fields and files is sent.
func (g *generator) sendParts(b body, indent string) {
	g.line(indent, "var p parts")
	for _, p := range b.parts {
		value := "body." + p.field
		add := func(value string) string {
			switch p.conv {
			case "File":
				return "p.file(" + quote(p.name) + ", " + quote(p.contentType) + ", " + value + ")"
			case "JSON":
				return "p.json(" + quote(p.name) + ", " + quote(p.contentType) + ", " + value + ")"
			}
			return "p.text(" + quote(p.name) + ", " + quote(p.contentType) + ", " + value + ")"
		}
		text := func(value string) string {
			if p.conv == "File" || p.conv == "JSON" {
				return value
			}
			return "text(" + value + ")"
		}
		switch {
		case p.list && p.sep == "":
			g.line(indent, "for _, v := range ", value, " {\n", indent, "\t", add(text("v")), "\n", indent, "}")
		case p.list:
			g.line(indent, "if len(", value, ") > 0 {\n", indent, "\t", add("joined("+value+", "+quote(p.sep)+")"), "\n", indent, "}")
		case p.required:
			g.line(indent, add(text(value)))
		default:
			pointed := "*" + value
			if p.bare {
				pointed = value
			}
			g.line(indent, "if ", value, " != nil {\n", indent, "\t", add(text(pointed)), "\n", indent, "}")
		}
	}
	g.line(indent, "if err := r.parts(", quote(b.contentType), ", &p); err != nil {\n", indent, "\treturn nil, err\n", indent, "}")
}

func (g *generator) clientMethod(o *operation) {
	g.comment("", o.name+" sends "+o.method+" "+o.path+"."+o.typeComment(), o.description)
	g.text("func (c *Client) ", o.name, "(ctx context.Context")
	g.arguments(o)
	g.line(") (*Answer[", o.result, "], error) {")
	g.line("\tr := newRequest(", quote(o.method), ", ", g.pathExpression(o), ", ", g.route(o), ")")
	for _, p := range o.params {
		g.send(p)
	}
	switch b := o.body; {
	case b.contentType == "":
	case b.chosen:
		g.line("\tr.stream(contentType, body)")
	case !b.typed() && !b.isParts():
		g.line("\tr.stream(", quote(b.contentType), ", body)")
	default:
		indent := "\t"
		if !b.required {
			g.line("\tif body != nil {")
			indent = "\t\t"
		}
		if b.isParts() {
			g.sendParts(b, indent)
		} else if b.form {
			g.line(indent, "r.form(", quote(b.contentType), ", body)")
		} else {
			g.line(indent, "if err := r.json(", quote(b.contentType), ", body); err != nil {")
			g.line(indent, "\treturn nil, err")
			g.line(indent, "}")
		}
		if indent == "\t\t" {
			g.line("\t}")
		}
	}
	g.line("\ta, err := c.send(ctx, r)\n\tif err != nil {\n\t\treturn nil, err\n\t}")
	g.line("\tswitch {")
	all := false
	for _, class := range []int{3, 2, 7} { // the most exact one counts
		for _, r := range o.responses {
			condition := "a.StatusCode == " + r.status
			switch {
			case r.status == "DEFAULT":
				if class != 7 {
					continue
				}
				all, condition = true, "true"
			case strings.HasSuffix(r.status, "XX"):
				if class != 2 {
					continue
				}
				condition = "a.StatusCode/100 == " + r.status[:1]
			case class != 3 || !isStatus(r.status):
				continue
			}
			if condition == "true" {
				g.line("\tdefault:")
			} else {
				g.line("\tcase ", condition, ":")
			}
			g.readResponse(o, r)
		}
	}
	if !slices.ContainsFunc(o.responses, func(r *response) bool { return r.success }) {
		g.line("\tcase a.StatusCode/100 == 2: // the document has no answer of success\n\t\treturn bare[NoBody](a)")
	}
	g.line("\t}")
	if !all {
		g.line("\treturn nil, unexpected(a, unknown(a))")
	}
	g.line("}")
}

// isStatus reports whether a status is a number.
func isStatus(status string) bool {
	n, err := strconv.Atoi(status)
	return err == nil && n >= 100 && n <= 999
}

// readResponse writes how an answer is read.
func (g *generator) readResponse(o *operation, r *response) {
	b := r.body
	call := "bare[" + o.result + "](a)"
	switch {
	case !r.success && b.isJSON:
		g.line("\t\treturn nil, failed[", b.typ.text, "](a)")
		return
	case !r.success:
		g.line("\t\treturn nil, unexpected(a, \"\")")
		return
	case b.contentType == "":
		g.line("\t\treturn ", call)
		return
	case b.events:
		call = "events(a)"
	case b.isJSON:
		call = "decoded[" + b.typ.text + "](a)"
	default:
		call = "streamed(a)"
	}
	switch {
	case r.field == "":
		g.line("\t\treturn ", call)
	case b.isJSON:
		g.line("\t\tone, err := ", call, "\n\t\treturn oneOf(one, err, func(all *", o.result, ", v *", b.typ.text, ") {\n\t\t\tall.", r.field, " = v\n\t\t})")
	default:
		g.line("\t\tone, err := ", call, "\n\t\treturn oneOf(one, err, func(all *", o.result, ", v *", b.typ.text, ") {\n\t\t\tall.", r.field, " = *v\n\t\t})")
	}
}

// typeComment says what a content type that the caller chooses has to be.
func (o *operation) typeComment() string {
	switch {
	case !o.body.chosen:
		return ""
	case o.body.inParts():
		return " contentType is that of the body with its boundary, as multipart.Writer.FormDataContentType returns it for " + o.body.contentType + "."
	}
	return " contentType is that of the body, one of " + o.body.contentType + "."
}

// arguments writes those of a method after the context.
func (g *generator) arguments(o *operation) {
	if len(o.params) > 0 {
		g.text(", params ", o.paramsType)
	}
	switch {
	case o.body.chosen:
		g.text(", contentType string, body ", o.body.typ.text)
	case o.body.contentType != "":
		g.text(", body ", o.body.typ.text)
	}
}

// pathExpression returns the path as an expression with the parameters put in. What
// is a fragment tells operations apart in the document, and is not sent.
func (g *generator) pathExpression(o *operation) string {
	var parts []string
	rest, _, _ := strings.Cut(o.path, "#")
	for {
		before, after, ok := strings.Cut(rest, "{")
		name, remaining, closed := strings.Cut(after, "}")
		if !ok || !closed {
			break
		}
		if before != "" {
			parts = append(parts, quote(escaped(before)))
		}
		for _, p := range o.params {
			if p.in == "path" && p.name == name {
				if p.prefix != "" {
					parts = append(parts, quote(escaped(p.prefix)))
				}
				switch value := "params." + p.field; {
				case p.object != nil:
					parts = append(parts, "flat("+value+", "+quote(p.object.between)+", "+quote(p.sep)+", url.PathEscape)")
				case p.list:
					parts = append(parts, "segments("+value+", "+quote(p.sep)+")")
				default:
					parts = append(parts, "segment("+value+")")
				}
			}
		}
		rest = remaining
	}
	if rest != "" || len(parts) == 0 {
		parts = append(parts, quote(escaped(rest)))
	}
	return strings.Join(parts, "+")
}

// escaped returns literal text of a path with what no URL has escaped. A URL that
// has such text loses the other escapes, which are those of the parameters.
func escaped(literal string) string {
	var b strings.Builder
	for i := range len(literal) {
		c := literal[i]
		if _, err := url.PathUnescape(literal[i:min(i+3, len(literal))]); c == '%' && err != nil {
			b.WriteString("%25")
		} else if c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// cookieName returns the name, or what stands for a name that no cookie can have.
func cookieName(name string) string {
	if isToken(name) {
		return name
	}
	return url.QueryEscape(name)
}

// isToken reports whether a cookie or a header can have the name.
func isToken(name string) bool { return (&http.Cookie{Name: name, Value: "x"}).String() != "" }

func (g *generator) send(p *param) {
	if p.in == "path" {
		return
	}
	value := "params." + p.field
	set := func(value string) string {
		switch p.in {
		case "header":
			return "r.header.Set(" + quote(p.name) + ", " + value + ")"
		case "querystring":
			return "r.whole(" + value + ")"
		case "cookie":
			return "r.cookie(" + quote(cookieName(p.name)) + ", " + value + ")"
		}
		return "r.query.Add(" + quote(p.name) + ", " + value + ")"
	}
	switch {
	case p.object != nil:
		g.sendObject(p, value, set)
	case p.list && p.sep == "":
		g.line("\tfor _, v := range ", value, " {\n\t\t", set("text(v)"), "\n\t}")
	case p.list:
		g.line("\tif len(", value, ") > 0 {\n\t\t", set("joined("+value+", "+quote(p.sep)+")"), "\n\t}")
	case p.required:
		g.line("\t", set("text("+value+")"))
	default:
		g.line("\tif ", value, " != nil {\n\t\t", set("text(*"+value+")"), "\n\t}")
	}
}

func (g *generator) sendObject(p *param, value string, set func(string) string) {
	indent := "\t"
	if !p.required {
		g.line("\tif ", value, " != nil {")
		indent = "\t\t"
	}
	switch p.object.way {
	case deep:
		g.line(indent, "for _, m := range members(", value, ") {\n", indent, "\tr.query.Add(", quote(p.name+"["), "+m.key+\"]\", m.value)\n", indent, "}")
	case apart:
		g.line(indent, "for _, m := range members(", value, ") {\n", indent, "\tr.query.Add(m.key, m.value)\n", indent, "}")
	default:
		g.line(indent, set("flat("+value+", "+quote(p.object.between)+", "+quote(p.sep)+", strings.Clone)"))
	}
	if !p.required {
		g.line("\t}")
	}
}
