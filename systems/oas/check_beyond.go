package oas

import (
	"slices"
	"strings"
)

// beyond checks what the specification says of a kind in prose, which the
// grammar has no place for.
func (c *checker) beyond(at *Cursor, k ObjectKind, n Node) {
	switch k {
	case PathItemObject:
		c.pathItem(at, PathItem{n})
	case OperationObject:
		c.operation(at, n)
	case ParameterObject:
		c.parameter(at, Parameter{n})
	case HeaderObject:
		c.described(at, n)
		if c.version == V32 && !isToken(n.Key()) && at.stack[len(at.stack)-2].form == named {
			c.here(at, RuleValue, "the name of a header cannot have such characters")
		}
	case ServerVariableObject:
		c.serverVariable(at, n)
	case SecuritySchemeObject:
		c.securityScheme(at, n)
	case OAuthFlowObject:
		c.flow(at, n)
	case ComponentsObject:
		c.components(at, n)
	case SchemaObject:
		if n.Get("type").Is("array") && !n.Get("items").Exists() && c.version&(V20|V30) != 0 {
			c.here(at, RuleRequired, "the schema of an array has no items")
		}
	}
}

// described says what a parameter or header must have since version 3.0.
func (c *checker) described(at *Cursor, n Node) {
	if c.version == V20 {
		return
	}
	content := n.Get("content")
	switch {
	case !n.Get("schema").Exists() && !content.Exists():
		c.here(at, RuleRequired, "it has neither schema nor content")
	case content.Kind() == Object && content.Len() != 1:
		c.member(at, content, RuleValue, "content must have one media type here")
	}
}

func (c *checker) parameter(at *Cursor, p Parameter) {
	in := p.In()
	if in == "path" && !p.Required() {
		c.here(at, RuleRequired, "a parameter in the path must have required: true")
	}
	if c.version == V20 {
		switch {
		case in == "body" && !p.Get("schema").Exists():
			c.here(at, RuleRequired, "a parameter in the body has no schema")
		case in != "body" && !p.Get("type").Exists():
			c.here(at, RuleRequired, "the parameter has no type")
		}
		return
	}
	c.described(at, p.Node)
	if in == "querystring" {
		switch {
		case c.version != V32:
			c.member(at, p.Get("in"), RuleVersion, "version "+c.version.String()+" has no parameters in querystring")
		case p.Get("schema").Exists():
			c.here(at, RuleExclusive, "a parameter in querystring has content, not schema")
		}
	}
	if style := p.Get("style"); style.Exists() {
		allowed := map[string][]string{
			"path": {"matrix", "label", "simple"}, "header": {"simple"}, "cookie": {"form"},
			"query": {"form", "spaceDelimited", "pipeDelimited", "deepObject"},
		}[in]
		if c.version == V32 && in == "cookie" {
			allowed = append(allowed, "cookie")
		}
		if allowed != nil && !slices.Contains(allowed, style.Str()) {
			c.member(at, style, RuleValue, "a parameter in "+in+" cannot have the style "+style.Str())
		}
	}
	if reserved := p.Get("allowReserved"); reserved.Exists() && in != "query" && c.version&since31 != 0 {
		formCookie := in == "cookie" && !p.Get("style").Is("cookie")
		if c.version == V31 || in == "header" || in == "cookie" && !formCookie {
			c.member(at, reserved, RuleExclusive, "a parameter in "+in+" cannot have allowReserved")
		}
	}
	if name := p.Name(); c.version == V32 && in == "path" && strings.ContainsAny(name, "{}") {
		c.member(at, p.Get("name"), RuleValue, "the name of a parameter in the path cannot have braces")
	} else if c.version == V32 && in == "header" && !isToken(name) {
		c.member(at, p.Get("name"), RuleValue, "the name of a header cannot have such characters")
	}
}

// isToken reports whether s is a token of HTTP (RFC 9110, section 5.6.2).
func isToken(s string) bool {
	for _, c := range []byte(s) {
		if !('a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0) {
			return false
		}
	}
	return s != ""
}

func (c *checker) serverVariable(at *Cursor, n Node) {
	enum := n.Get("enum")
	if !enum.Exists() || c.version&since31 == 0 {
		return
	}
	if enum.Len() == 0 {
		c.member(at, enum, RuleValue, "enum must not be empty")
		return
	}
	initial := n.Get("default").Str()
	for e := range enum.All() {
		if e.Is(initial) {
			return
		}
	}
	c.member(at, enum, RuleValue, "default is none of the values of enum")
}

// schemeNeeds and flowNeeds are what a security scheme of a type must have since
// version 3.0, and a flow of OAuth by its key.
var (
	schemeNeeds = map[string][]string{
		"apiKey": {"name", "in"}, "http": {"scheme"}, "openIdConnect": {"openIdConnectUrl"}, "oauth2": {"flows"},
	}
	flowNeeds = map[string][]string{
		"implicit": {"authorizationUrl"}, "password": {"tokenUrl"}, "clientCredentials": {"tokenUrl"},
		"authorizationCode": {"authorizationUrl", "tokenUrl"}, "deviceAuthorization": {"deviceAuthorizationUrl", "tokenUrl"},
	}
)

func (c *checker) securityScheme(at *Cursor, n Node) {
	typ := n.Get("type").Str()
	keys := schemeNeeds[typ]
	if typ == "oauth2" && c.version == V20 {
		keys = []string{"flow"}
	}
	c.needs(at, n, "a security scheme of type "+typ, keys)
}

func (c *checker) flow(at *Cursor, n Node) {
	c.needs(at, n, "the flow "+n.Key(), flowNeeds[n.Key()])
}

func (c *checker) needs(at *Cursor, n Node, what string, keys []string) {
	for _, key := range keys {
		if !n.Get(key).Exists() {
			c.here(at, RuleRequired, what+" has no "+key)
		}
	}
}

// components must have names that can stand in a reference as they are.
func (c *checker) components(at *Cursor, n Node) {
	for section := range n.All() {
		if isExtension([]byte(section.Key())) || section.Kind() != Object {
			continue
		}
		for m := range section.All() {
			key := m.Key()
			if key == "" || strings.ContainsFunc(key, func(r rune) bool {
				return !('a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9' || r == '.' || r == '-' || r == '_')
			}) {
				c.report(m, string(c.d.appendKey(c.d.appendStep(at.AppendPointer(nil), at.top().at, section.at), m.in())), RuleValue,
					"the name of a component is made of letters, digits, ., - and _")
			}
		}
	}
}

func (c *checker) operation(at *Cursor, n Node) {
	id := n.Get("operationId")
	if id.Kind() != String {
		return
	}
	if c.operations[id.Str()] {
		c.member(at, id, RuleDuplicate, "another operation has the operationId "+id.Str())
	}
	c.operations[id.Str()] = true
}

// pathItem compares the parameters of the path with those that operations say.
func (c *checker) pathItem(at *Cursor, p PathItem) {
	for _, m := range methods {
		if more := p.Get("additionalOperations").Get(strings.ToUpper(m)); more.Exists() && c.version == V32 {
			c.here(at, RuleExclusive, "additionalOperations cannot have "+strings.ToUpper(m)+"; there is a field for it")
		}
	}
	shared, known := c.parameters(p.Get("parameters"))
	c.unique(p.Get("parameters"), Node{})
	inPaths := len(at.stack) > 1 && at.stack[len(at.stack)-2].kind == PathsObject
	names := templateNames(p.Key())
	for o := range p.Operations() {
		own, all := c.parameters(o.Get("parameters"))
		c.unique(o.Get("parameters"), p.Get("parameters"))
		if !inPaths || !known || !all {
			continue
		}
		for _, name := range names {
			if !slices.Contains(own, name) && !slices.Contains(shared, name) {
				c.member(at, o.inItem(p), RulePath, "the path has {"+name+"}, which no parameter in the path describes")
			}
		}
	}
}

// inItem is the member of p that o is in: o itself, or additionalOperations.
func (o Operation) inItem(p PathItem) Node {
	if n := p.Get(o.Key()); n == o.Node {
		return n
	}
	return p.Get("additionalOperations")
}

// parameters returns the names of those in the path, and whether all parameters
// are in this document.
func (c *checker) parameters(list Node) (names []string, all bool) {
	for n := range list.All() {
		resolved, err := c.d.Resolve(n)
		if err != nil {
			return names, false
		}
		if p := (Parameter{resolved}); p.In() == "path" {
			names = append(names, p.Name())
		}
	}
	return names, true
}

// unique reports parameters that are in a list twice, and what version 3.2 says
// of a query string: it is the only one, and there is no other query parameter.
func (c *checker) unique(list, shared Node) {
	seen := map[[2]string]bool{}
	queries, whole := 0, 0
	look := func(lists Node, report bool) {
		for n := range lists.All() {
			resolved, err := c.d.Resolve(n)
			if err != nil || resolved.Kind() != Object {
				continue
			}
			p := Parameter{resolved}
			key := [2]string{p.In(), p.Name()}
			switch key[0] {
			case "query":
				queries++
			case "querystring":
				whole++
			}
			if report && seen[key] && key[0] != "" {
				c.report(n, n.Pointer(), RuleDuplicate, "another parameter in "+key[0]+" has the name "+key[1])
			}
			seen[key] = seen[key] || report
		}
	}
	look(list, true)
	look(shared, false)
	if list.Exists() && (whole > 1 || whole > 0 && queries > 0) {
		c.report(list, list.Pointer(), RuleExclusive, "a parameter in querystring must be the only one of the query")
	}
}
