package check

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/systems/oas"
	"github.com/poolproof/poolproof/systems/oas/internal/grammar"
)

// beyond checks what the specification says of a kind in prose, which the
// grammar has no place for.
func (c *checker) beyond(at *oas.Cursor, k oas.ObjectKind, n oas.Node) {
	switch k {
	case oas.PathItemObject:
		c.pathItem(oas.PathItem{Node: n}, at.Parent() == c.d.Root().Get("paths"))
	case oas.OperationObject:
		c.operation(n)
	case oas.ParameterObject:
		c.parameter(oas.Parameter{Node: n})
	case oas.HeaderObject:
		c.described(n)
		if c.version == grammar.V32 && !isToken(n.Key()) {
			c.report(n, RuleValue, "the name of a header cannot have such characters")
		}
	case oas.ServerVariableObject:
		c.serverVariable(n)
	case oas.SecuritySchemeObject:
		c.securityScheme(n)
	case oas.OAuthFlowObject:
		c.flow(n)
	case oas.ComponentsObject:
		c.components(n)
	case oas.SchemaObject:
		if n.Get("type").Is("array") && !n.Get("items").Exists() && c.version&(grammar.V20|grammar.V30) != 0 {
			c.report(n, RuleRequired, "the schema of an array has no items")
		}
	}
}

// described says what a parameter or header must have since version 3.0.
func (c *checker) described(n oas.Node) {
	if c.version == grammar.V20 {
		return
	}
	content := n.Get("content")
	switch {
	case !n.Get("schema").Exists() && !content.Exists():
		c.report(n, RuleRequired, "it has neither schema nor content")
	case content.Kind() == oas.Object && content.Len() != 1:
		c.report(content, RuleValue, "content must have one media type here")
	}
}

func (c *checker) parameter(p oas.Parameter) {
	n := p.Node
	in := p.In()
	if in == "path" && !p.Required() {
		c.report(n, RuleRequired, "a parameter in the path must have required: true")
	}
	if c.version == grammar.V20 {
		switch {
		case in == "body" && !p.Get("schema").Exists():
			c.report(n, RuleRequired, "a parameter in the body has no schema")
		case in != "body" && !p.Get("type").Exists():
			c.report(n, RuleRequired, "the parameter has no type")
		}
		return
	}
	c.described(n)
	if in == "querystring" {
		switch {
		case c.version != grammar.V32:
			c.report(p.Get("in"), RuleVersion, "version "+oas.Version(c.version).String()+" has no parameters in querystring")
		case p.Get("schema").Exists():
			c.report(n, RuleExclusive, "a parameter in querystring has content, not schema")
		}
	}
	if style := p.Get("style"); style.Exists() {
		allowed := map[string][]string{
			"path": {"matrix", "label", "simple"}, "header": {"simple"}, "cookie": {"form"},
			"query": {"form", "spaceDelimited", "pipeDelimited", "deepObject"},
		}[in]
		if c.version == grammar.V32 && in == "cookie" {
			allowed = append(allowed, "cookie")
		}
		if allowed != nil && !slices.Contains(allowed, style.Str()) {
			c.report(style, RuleValue, "a parameter in "+in+" cannot have the style "+style.Str())
		}
	}
	if reserved := p.Get("allowReserved"); reserved.Exists() && in != "query" && c.version&grammar.Since31 != 0 {
		formCookie := in == "cookie" && !p.Get("style").Is("cookie")
		if c.version == grammar.V31 || in == "header" || in == "cookie" && !formCookie {
			c.report(reserved, RuleExclusive, "a parameter in "+in+" cannot have allowReserved")
		}
	}
	if name := p.Name(); c.version == grammar.V32 && in == "path" && strings.ContainsAny(name, "{}") {
		c.report(p.Get("name"), RuleValue, "the name of a parameter in the path cannot have braces")
	} else if c.version == grammar.V32 && in == "header" && !isToken(name) {
		c.report(p.Get("name"), RuleValue, "the name of a header cannot have such characters")
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

func (c *checker) serverVariable(n oas.Node) {
	enum := n.Get("enum")
	if !enum.Exists() || c.version&grammar.Since31 == 0 {
		return
	}
	if enum.Len() == 0 {
		c.report(enum, RuleValue, "enum must not be empty")
		return
	}
	initial := n.Get("default").Str()
	for e := range enum.All() {
		if e.Is(initial) {
			return
		}
	}
	c.report(enum, RuleValue, "default is none of the values of enum")
}

// schemeNeeds and flowNeeds are the members that a security scheme of a type must have since
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

func (c *checker) securityScheme(n oas.Node) {
	typ := n.Get("type").Str()
	keys := schemeNeeds[typ]
	if typ == "oauth2" && c.version == grammar.V20 {
		keys = []string{"flow"}
	}
	c.needs(n, "a security scheme of type "+typ, keys)
}

func (c *checker) flow(n oas.Node) {
	c.needs(n, "the flow "+n.Key(), flowNeeds[n.Key()])
}

func (c *checker) needs(n oas.Node, what string, keys []string) {
	for _, key := range keys {
		if !n.Get(key).Exists() {
			c.report(n, RuleRequired, what+" has no "+key)
		}
	}
}

// components must have names that can stand in a reference as they are.
func (c *checker) components(n oas.Node) {
	for section := range n.All() {
		if grammar.IsExtension([]byte(section.Key())) || section.Kind() != oas.Object {
			continue
		}
		for m := range section.All() {
			key := m.Key()
			if key == "" || strings.ContainsFunc(key, func(r rune) bool {
				return !('a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9' || r == '.' || r == '-' || r == '_')
			}) {
				c.report(m, RuleValue, "the name of a component is made of letters, digits, ., - and _")
			}
		}
	}
}

func (c *checker) operation(n oas.Node) {
	id := n.Get("operationId")
	if id.Kind() != oas.String {
		return
	}
	if c.operations[id.Str()] {
		c.report(id, RuleDuplicate, "another operation has the operationId "+id.Str())
	}
	c.operations[id.Str()] = true
}

// pathItem compares the parameters of the path with those that operations say.
func (c *checker) pathItem(p oas.PathItem, inPaths bool) {
	n := p.Node
	for i := range grammar.Of[grammar.PathItem].Rules {
		r := &grammar.Of[grammar.PathItem].Rules[i]
		if m := strings.ToUpper(r.Key); r.Kind == grammar.Operation && r.Form == grammar.Single && p.Get("additionalOperations").Get(m).Exists() && c.version == grammar.V32 {
			c.report(n, RuleExclusive, "additionalOperations cannot have "+m+"; there is a field for it")
		}
	}
	shared, known := c.parameters(p.Get("parameters"))
	c.unique(p.Get("parameters"), oas.Node{})
	for o := range p.Operations() {
		own, all := c.parameters(o.Get("parameters"))
		c.unique(o.Get("parameters"), p.Get("parameters"))
		if !inPaths || !known || !all {
			continue
		}
		for _, name := range o.PathNames() {
			if !slices.Contains(own, name) && !slices.Contains(shared, name) {
				c.report(o.Node, RulePath, "the path has {"+name+"}, which no parameter in the path describes")
			}
		}
	}
}

// parameters returns the names of those in the path, and whether all parameters
// are in this document.
func (c *checker) parameters(list oas.Node) (names []string, all bool) {
	for n := range list.All() {
		resolved, err := c.d.Resolve(n)
		if err != nil {
			return names, false
		}
		if p := (oas.Parameter{Node: resolved}); p.In() == "path" {
			names = append(names, p.Name())
		}
	}
	return names, true
}

// unique reports parameters that are in a list twice, and what version 3.2 says
// of a query string: it is the only one, and there is no other query parameter.
func (c *checker) unique(list, shared oas.Node) {
	seen := map[[2]string]bool{}
	queries, whole := 0, 0
	look := func(lists oas.Node, report bool) {
		for n := range lists.All() {
			resolved, err := c.d.Resolve(n)
			if err != nil || resolved.Kind() != oas.Object {
				continue
			}
			p := oas.Parameter{Node: resolved}
			key := [2]string{p.In(), p.Name()}
			switch key[0] {
			case "query":
				queries++
			case "querystring":
				whole++
			}
			if report && seen[key] && key[0] != "" {
				c.report(n, RuleDuplicate, "another parameter in "+key[0]+" has the name "+key[1])
			}
			seen[key] = seen[key] || report
		}
	}
	look(list, true)
	look(shared, false)
	if list.Exists() && (whole > 1 || whole > 0 && queries > 0) {
		c.report(list, RuleExclusive, "a parameter in querystring must be the only one of the query")
	}
}
