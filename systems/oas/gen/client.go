package gen

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// client writes the client: what all clients have, then a method an operation.
func (g *generator) client() {
	g.text(header, "package ", g.name, "\n\n", clientRuntime)
	for _, o := range g.ops {
		g.line()
		g.clientMethod(o)
	}
}

func (g *generator) clientMethod(o *operation) {
	g.comment("", o.name+" sends "+o.method+" "+o.path+"."+o.typeComment(), o.description)
	g.text("func (c *Client) ", o.name, "(ctx context.Context")
	g.arguments(o)
	result := o.result.typ.text
	g.text(") ", results(result), " {\n")
	fail := "return err"
	if result != "" {
		g.line("\tvar out ", result)
		fail = "return out, err"
	}
	g.line("\tr := newRequest(", quote(o.method), ", ", g.pathExpression(o), ")")
	for _, p := range o.params {
		g.send(p)
	}
	switch b := o.body; {
	case b.contentType == "":
	case b.chosen:
		g.line("\tr.stream(contentType, body)")
	case !b.isJSON:
		g.line("\tr.stream(", quote(b.contentType), ", body)")
	default:
		indent := "\t"
		if !b.required {
			g.line("\tif body != nil {")
			indent = "\t\t"
		}
		g.line(indent, "if err := r.json(", quote(b.contentType), ", body); err != nil {")
		g.line(indent, "\t", fail)
		g.line(indent, "}")
		if indent == "\t\t" {
			g.line("\t}")
		}
	}
	switch {
	case result == "":
		g.line("\treturn c.do(ctx, r, 0, nil)")
	case !o.result.isJSON:
		g.line("\terr := c.do(ctx, r, ", o.status, ", func(b []byte) error { out = b; return nil })")
		g.line("\treturn out, err")
	default:
		g.line("\terr := c.do(ctx, r, ", o.status, ", func(b []byte) error { return json.Unmarshal(b, &out) })")
		g.line("\treturn out, err")
	}
	g.line("}")
}

func results(typ string) string {
	if typ == "" {
		return "error"
	}
	return "(" + typ + ", error)"
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
