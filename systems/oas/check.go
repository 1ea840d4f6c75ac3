package oas

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Problem is a place where a document breaks the specification.
type Problem struct {
	Line, Col int    // of the value, as [Node.Pos] returns them
	Pointer   string // of the value
	Rule      string // one of the names below
	Msg       string
}

// The rules of [Doc.Check].
const (
	RuleVersion   = "version"   // the version is none that is known, or it does not know this member
	RuleType      = "type"      // a value is of the wrong type
	RuleRequired  = "required"  // a member is missing
	RuleUnknown   = "unknown"   // a member is none that the specification knows
	RuleValue     = "value"     // a value is none of those that are allowed
	RuleExclusive = "exclusive" // two members stand together that must not
	RuleRef       = "ref"       // a reference leads nowhere
	RuleDuplicate = "duplicate" // two things have the same name
	RulePath      = "path"      // a path and its parameters do not fit
)

// String returns the problem as in "3:5: /info: version is missing (required)".
func (p Problem) String() string {
	return strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Col) + ": " + shortened(whole(p.Pointer)) + ": " + p.Msg + " (" + p.Rule + ")"
}

// Check returns what is wrong with the document by the version of the
// specification that it names, in the order of the document. It knows the fields
// of each kind of object, their types, which are required and which exclude each
// other, references inside of the document, the parameters of paths, and names
// that must be unique. It does not read other documents, and it does not check
// examples against their schemas.
func (d *Doc) Check() []Problem {
	if !d.Root().Exists() {
		return []Problem{{Rule: RuleVersion, Msg: "the document is empty"}}
	}
	c := checker{d: d, version: d.Version(), operations: map[string]bool{}}
	if c.version == Unknown {
		c.report(d.Root(), "", RuleVersion, "neither openapi: 3.x nor swagger: \"2.0\" says the version")
		c.version, c.assumed = V31, true
	}
	if d.Root().Kind() != Object {
		c.report(d.Root(), "", RuleType, "it is of type "+d.Root().Kind().String()+" and must be an object")
	}
	d.Visit(Handlers{Enter: func(at *Cursor) Action {
		at.version = c.version
		c.object(at, at.ObjectKind())
		return Continue
	}})
	c.place()
	return c.problems
}

type checker struct {
	d          *Doc
	version    Version
	assumed    bool // the document does not say its version, which has been reported
	problems   []Problem
	at         []Node // of each problem
	operations map[string]bool
}

func (c *checker) report(n Node, pointer, rule, message string) {
	c.problems = append(c.problems, Problem{Pointer: pointer, Rule: rule, Msg: message})
	c.at = append(c.at, n)
}

// member reports a problem of a member of the object that the cursor is at.
func (c *checker) member(at *Cursor, m Node, rule, message string) {
	c.report(m, string(c.d.appendStep(at.AppendPointer(nil), at.top().at, m.at)), rule, message)
}

func (c *checker) here(at *Cursor, rule, message string) {
	c.report(at.Node(), at.Pointer(), rule, message)
}

// place finds the places of all problems, and puts them in the order of the document.
func (c *checker) place() {
	places := c.d.places()
	order := make([]int, len(c.at))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.at[a].in().off, c.at[b].in().off) })
	sorted := make([]Problem, 0, len(order))
	for _, i := range order {
		p := c.problems[i]
		if offset := c.d.offset(c.at[i].at); offset >= 0 {
			p.Line, p.Col = places.of(offset)
		}
		sorted = append(sorted, p)
	}
	c.problems = sorted
}

// object checks one object against the grammar.
func (c *checker) object(at *Cursor, k ObjectKind) {
	n, g := at.Node(), &grammar[k]
	if _, isRef := n.Ref(); isRef && g.refs&c.version != 0 {
		c.reference(at)
		if k != SchemaObject || c.version&since31 == 0 {
			return // what else stands in a reference is ignored
		}
	}
	for m := range n.All() {
		c.field(at, k, m)
	}
	for i := range g.rules {
		if r := &g.rules[i]; r.required&c.version != 0 && !(r.key == "openapi" && c.assumed) && !n.Get(strings.TrimRight(r.key, "\x00")).Exists() {
			c.here(at, RuleRequired, "the "+k.String()+" has no "+r.key)
		}
	}
	for _, pair := range g.excludes {
		if n.Get(pair[0]).Exists() && n.Get(pair[1]).Exists() {
			c.here(at, RuleExclusive, pair[0]+" and "+pair[1]+" exclude each other")
		}
	}
	if len(g.anyOf) > 0 && c.version&since31 != 0 {
		if !slices.ContainsFunc(g.anyOf, func(key string) bool { return n.Get(key).Exists() }) {
			c.here(at, RuleRequired, "the "+k.String()+" has none of "+strings.Join(g.anyOf, ", "))
		}
	}
	c.beyond(at, k, n)
}

func (c *checker) field(at *Cursor, k ObjectKind, m Node) {
	key := m.Key()
	r := ruleOf(k, []byte(key), c.version)
	g := &grammar[k]
	switch {
	case r != nil && r.versions&c.version != 0:
		c.value(at, m, r)
	case g.open&c.version != 0:
	case isExtension([]byte(key)):
		if g.extensible&c.version == 0 {
			c.member(at, m, RuleUnknown, article(k)+" has no extensions")
		}
	case r != nil:
		c.member(at, m, RuleVersion, "version "+c.version.String()+" has no "+key+" in "+article(k))
	case k == PathsObject:
		c.member(at, m, RulePath, "a path must begin with /")
	case k == ResponsesObject:
		c.member(at, m, RuleValue, "the key of a response must be a status such as 200 or 4XX, or default")
	default:
		c.member(at, m, RuleUnknown, article(k)+" has no "+key)
	}
}

// article returns the name of a kind as one of it is called in a sentence.
func article(k ObjectKind) string {
	if strings.ContainsRune("aeioOX", rune(k.String()[0])) {
		return "an " + k.String()
	}
	return "a " + k.String()
}

// value checks the type of a member, and of what is in it.
func (c *checker) value(at *Cursor, m Node, r *rule) {
	if !c.fits(m, r.types, r.kind) {
		c.member(at, m, RuleType, "it is of type "+m.Kind().String()+" and must be of type "+typesText(r.types))
		return
	}
	if m.Kind() == String && len(r.words) > 0 && !slices.Contains(r.words, m.Str()) {
		c.member(at, m, RuleValue, strconv.Quote(m.Str())+" is none of "+strings.Join(r.words, ", "))
	}
	if r.form == single || m.Kind() < Array {
		return
	}
	inside := r.inside
	if r.kind != Free {
		inside = bit(Object)
	}
	for e := range m.All() {
		switch {
		case r.form == named && isExtension([]byte(e.Key())):
		case !c.fits(e, inside, r.kind):
			c.member(at, m, RuleType, "what it holds is of type "+e.Kind().String()+" and must be of type "+typesText(inside))
			return
		case e.Kind() == String && r.form == listed && len(r.words) > 0 && !slices.Contains(r.words, e.Str()):
			c.member(at, m, RuleValue, strconv.Quote(e.Str())+" is none of "+strings.Join(r.words, ", "))
			return
		}
	}
}

func (c *checker) fits(n Node, types uint8, k ObjectKind) bool {
	return types == 0 || types&bit(n.Kind()) != 0 || k == SchemaObject && n.Kind() == Bool && c.version&since31 != 0
}

func typesText(types uint8) string {
	var names []string
	for k := Null; k <= Object; k++ {
		if types&bit(k) != 0 {
			names = append(names, k.String())
		}
	}
	return strings.Join(names, " or ")
}

func (c *checker) reference(at *Cursor) {
	ref, _ := at.Node().Ref()
	if !strings.HasPrefix(ref, "#") {
		return
	}
	if _, err := c.d.Resolve(at.Node()); err != nil {
		c.member(at, at.Node().Get("$ref"), RuleRef, strings.TrimPrefix(err.Error(), "oas: "))
	}
}
