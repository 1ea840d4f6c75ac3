// Package check says where an OpenAPI document breaks the specification.
//
//	for _, p := range check.Document(d) {
//		fmt.Printf("api.yaml:%v\n", p) // 2:7: /info: the info has no version (required)
//	}
package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/systems/oas"
	"github.com/poolproof/poolproof/systems/oas/internal/grammar"
	"github.com/poolproof/poolproof/systems/oas/internal/short"
)

// Problem is a place where a document breaks the specification.
type Problem struct {
	Line, Col int    // of the value, as [oas.Node.Pos] returns them
	Pointer   string // of the value
	Rule      Rule
	Msg       string
}

// Rule names the kind of a Problem.
type Rule string

// The rules.
const (
	RuleVersion   Rule = "version"   // the version is none that is known, or it does not know this member
	RuleType      Rule = "type"      // a value is of the wrong type
	RuleRequired  Rule = "required"  // a member is missing
	RuleUnknown   Rule = "unknown"   // a member is none that the specification knows
	RuleValue     Rule = "value"     // a value is none of those that are allowed
	RuleExclusive Rule = "exclusive" // two members stand together that must not
	RuleRef       Rule = "ref"       // a reference leads nowhere
	RuleDuplicate Rule = "duplicate" // two things have the same name
	RulePath      Rule = "path"      // a path and its parameters do not fit
)

// String returns the problem as in "3:5: /info: version is missing (required)".
func (p Problem) String() string {
	where := short.Pointer(p.Pointer)
	if where == "" {
		where = "the document"
	}
	return strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Col) + ": " + where + ": " + p.Msg + " (" + string(p.Rule) + ")"
}

// Document returns what is wrong with d by the version of the specification that it names,
// in the order of the document; nil if nothing is. It knows the fields of each kind of
// object, their types, which are required and which exclude each other, references inside
// of the document, the parameters of paths, and names that must be unique. It does not read
// other documents, and it does not check examples against their schemas. Document only reads
// d: other goroutines may read it at the same time.
func Document(d *oas.Doc) []Problem {
	if !d.Root().Exists() {
		return []Problem{{Rule: RuleVersion, Msg: "the document is empty"}}
	}
	c := checker{d: d, version: grammar.Version(d.Version()), found: map[oas.Node][]finding{}, operations: map[string]bool{}}
	if d.Version() == oas.Unknown {
		c.report(d.Root(), RuleVersion, "neither openapi: 3.x nor swagger: \"2.0\" says the version")
		c.version, c.assumed = grammar.V31, true
	}
	if d.Root().Kind() != oas.Object {
		c.report(d.Root(), RuleType, "it is of type "+d.Root().Kind().String()+" and must be an object")
	}
	d.Visit(oas.Handlers{Enter: func(at *oas.Cursor) oas.Action {
		c.object(at, at.ObjectKind())
		return oas.Continue
	}})
	return c.placed()
}

type checker struct {
	d          *oas.Doc
	version    grammar.Version
	assumed    bool // the document does not say its version, which has been reported
	found      map[oas.Node][]finding
	operations map[string]bool
}

// finding is a problem of a value whose place is not known yet.
type finding struct {
	rule Rule
	msg  string
}

func (c *checker) report(n oas.Node, rule Rule, message string) {
	c.found[n] = append(c.found[n], finding{rule, message})
}

// placed returns what was found with its places, in the order of the document.
func (c *checker) placed() (problems []Problem) {
	if len(c.found) == 0 {
		return nil
	}
	c.d.Walk(func(at *oas.Cursor) oas.Action {
		for _, f := range c.found[at.Node()] {
			line, col := at.Pos()
			problems = append(problems, Problem{line, col, at.Pointer(), f.rule, f.msg})
		}
		return oas.Continue
	})
	return problems
}

// object checks one object against the grammar.
func (c *checker) object(at *oas.Cursor, k oas.ObjectKind) {
	n, g := at.Node(), &grammar.Of[k]
	if _, isRef := n.Ref(); isRef && g.Refs&c.version != 0 {
		c.reference(n)
		if k != oas.SchemaObject || c.version&grammar.Since31 == 0 {
			return // what else stands in a reference is ignored
		}
	}
	for m := range n.All() {
		c.field(k, m)
	}
	for i := range g.Rules {
		if r := &g.Rules[i]; r.Required&c.version != 0 && !(r.Key == "openapi" && c.assumed) && !n.Get(r.Key).Exists() {
			c.report(n, RuleRequired, "the "+k.String()+" has no "+r.Key)
		}
	}
	for _, pair := range g.Excludes {
		if n.Get(pair[0]).Exists() && n.Get(pair[1]).Exists() {
			c.report(n, RuleExclusive, pair[0]+" and "+pair[1]+" exclude each other")
		}
	}
	if len(g.AnyOf) > 0 && c.version&grammar.Since31 != 0 {
		if !slices.ContainsFunc(g.AnyOf, func(key string) bool { return n.Get(key).Exists() }) {
			c.report(n, RuleRequired, "the "+k.String()+" has none of "+strings.Join(g.AnyOf, ", "))
		}
	}
	c.beyond(at, k, n)
}

func (c *checker) field(k oas.ObjectKind, m oas.Node) {
	key := m.Key()
	r := grammar.Find(grammar.Kind(k), []byte(key), c.version)
	g := &grammar.Of[k]
	switch {
	case r != nil && r.Versions&c.version != 0:
		c.value(m, r)
	case g.Open&c.version != 0:
	case grammar.IsExtension([]byte(key)):
		if g.Extensible&c.version == 0 {
			c.report(m, RuleUnknown, article(k)+" has no extensions")
		}
	case r != nil:
		c.report(m, RuleVersion, "version "+oas.Version(c.version).String()+" has no "+key+" in "+article(k))
	case k == oas.PathsObject:
		c.report(m, RulePath, "a path must begin with /")
	case k == oas.ResponsesObject:
		c.report(m, RuleValue, "the key of a response must be a status such as 200 or 4XX, or default")
	default:
		c.report(m, RuleUnknown, article(k)+" has no "+key)
	}
}

// article returns the name of a kind as one of it is called in a sentence.
func article(k oas.ObjectKind) string {
	if strings.ContainsRune("aeioOX", rune(k.String()[0])) {
		return "an " + k.String()
	}
	return "a " + k.String()
}

// value checks the type of a member, and of what is in it.
func (c *checker) value(m oas.Node, r *grammar.Rule) {
	if !c.fits(m, r.Types, r.Kind) {
		c.report(m, RuleType, "it is of type "+m.Kind().String()+" and must be of type "+typesText(r.Types))
		return
	}
	if m.Kind() == oas.String && len(r.Words) > 0 && !slices.Contains(r.Words, m.Str()) {
		c.report(m, RuleValue, strconv.Quote(m.Str())+" is none of "+strings.Join(r.Words, ", "))
	}
	if r.Form == grammar.Single || m.Kind() < oas.Array {
		return
	}
	inside := r.Inside
	if r.Kind != grammar.Free {
		inside = grammar.Object
	}
	for e := range m.All() {
		switch {
		case r.Form == grammar.Named && grammar.IsExtension([]byte(e.Key())):
		case !c.fits(e, inside, r.Kind):
			c.report(m, RuleType, "what it holds is of type "+e.Kind().String()+" and must be of type "+typesText(inside))
			return
		case e.Kind() == oas.String && r.Form == grammar.Listed && len(r.Words) > 0 && !slices.Contains(r.Words, e.Str()):
			c.report(m, RuleValue, strconv.Quote(e.Str())+" is none of "+strings.Join(r.Words, ", "))
			return
		}
	}
}

func (c *checker) fits(n oas.Node, types grammar.Types, k grammar.Kind) bool {
	return types == 0 || types&bit(n.Kind()) != 0 || k == grammar.Schema && n.Kind() == oas.Bool && c.version&grammar.Since31 != 0
}

func bit(k oas.Kind) grammar.Types { return 1 << k }

func typesText(types grammar.Types) string {
	var names []string
	for k := oas.Null; k <= oas.Object; k++ {
		if types&bit(k) != 0 {
			names = append(names, k.String())
		}
	}
	return strings.Join(names, " or ")
}

func (c *checker) reference(n oas.Node) {
	ref, _ := n.Ref()
	if !strings.HasPrefix(ref, "#") {
		return
	}
	if _, err := c.d.Resolve(n); err != nil {
		c.report(n.Get("$ref"), RuleRef, strings.TrimPrefix(err.Error(), "oas: "))
	}
}
