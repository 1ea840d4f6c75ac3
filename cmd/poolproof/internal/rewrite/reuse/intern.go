package reuse

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// mostInterned is the length of a string up to which it is worth a look whether it was there
// before: longer ones are seldom alike, and take long to compare.
const mostInterned = 64

// texts are allocations of strings.
type texts struct {
	in *source
	a  *allocation
}

// interned gives the variant in which a string that came before is used again. No memory is
// written to twice: strings do not change. head begins the function: it takes the
// parts, leaves the bytes of the string in b, and returns where they are too many. calls puts the calls
// of the function, by its name, into the file.
func (t texts) interned(head string, calls func(v *Variant, name string)) ([]Variant, string) {
	if t.a.site.Size() > mostInterned {
		return nil, fmt.Sprintf("a string of %.0f bytes is made; one of at most %d would be looked up among those that came before", t.a.site.Size(), mostInterned)
	}
	if fn, _ := t.a.function(); fn == nil {
		return nil, "it is made once"
	}
	v := t.a.begin(Intern, Semantics)
	stem, join := t.a.stem(""), ""
	if head == fromParts {
		join = v.use("strings", "strings")
	}
	kept, name := t.in.free(stem+"Strings"), t.in.free("intern"+upper(stem))
	calls(v, name)
	v.Remark = fmt.Sprintf("it pays where strings come again, as they do in most benchmarks; up to 1024 of at most %d bytes are kept", mostInterned)
	v.code = fmt.Sprintf(`// %[1]s has strings that came twice, and %[5]s the hash of the last one of each place.
var (
	%[1]s [1024]%[3]s.Value
	%[5]s [1024]uint32
)

// %[2]s makes a string, or returns the one that came before of the same bytes.
%[4]s	hash := uint32(2166136261) // FNV-1a
	for _, c := range b {
		hash = (hash ^ uint32(c)) * 16777619
	}
	i := hash %% 1024
	if s, ok := %[1]s[i].Load().(string); ok && s == string(b) {
		return s
	}
	s := string(b)
	if %[3]s.SwapUint32(&%[5]s[i], hash) == hash {
		%[1]s[i].Store(s)
	}
	return s
}
`, kept, name, v.use("sync/atomic", "atomic"), fmt.Sprintf(head, name, mostInterned, join), t.in.free(stem+"Hashes"))
	return []Variant{*v}, ""
}

// fromBytes, fromRunes and fromParts begin functions that make strings.
const (
	fromBytes = `func %[1]s(b []byte) string {
	if len(b) > %[2]d {
		return string(b)
	}
`
	fromRunes = `func %[1]s(runes []rune) string {
	var array [%[2]d]byte
	b := array[:0]
	for _, r := range runes {
		if len(b)+4 > len(array) {
			return string(runes)
		}
		b = append(b, string(r)...)
	}
`
	fromParts = `func %[1]s(parts ...string) string {
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	if n > %[2]d {
		var b %[3]s.Builder
		b.Grow(n)
		for _, p := range parts {
			b.WriteString(p)
		}
		return b.String()
	}
	b := make([]byte, 0, %[2]d)
	for _, p := range parts {
		b = append(b, p...)
	}
`
)

// conversion gives the variants of one.
func (t texts) conversion(n *ast.CallExpr) ([]Variant, string) {
	to, from := t.in.info.TypeOf(n), t.in.info.TypeOf(n.Args[0])
	if types.IsInterface(to) {
		return nil, "a value is put into an interface, which needs memory of its own unless it is a pointer"
	}
	head := ""
	if element := sliceOf(from); element != nil && syntax.String(to) {
		switch {
		case types.Identical(element, types.Typ[types.Byte]):
			head = fromBytes
		case types.Identical(element, types.Typ[types.Rune]):
			head = fromRunes
		}
	}
	if head == "" {
		return nil, fmt.Sprintf("a conversion to %s copies its operand: keep one of the two forms, or append to a slice that is there", t.in.short(to))
	}
	return t.interned(head, func(v *Variant, name string) {
		if types.Identical(to, types.Typ[types.String]) {
			v.put(n.Pos(), n.Lparen, name)
			return
		}
		v.put(n.Lparen+1, n.Lparen+1, name+"(")
		v.put(n.Rparen, n.Rparen, ")")
	})
}

// together is why there is no variant of a string that is put together in another way than by a sum of type string.
const together = "a string is put together: a []byte to which the parts are appended, or a strings.Builder, can be used again"

// concatenation gives the variants of a sum of strings.
func (t texts) concatenation(n *ast.BinaryExpr) ([]Variant, string) {
	var plus []token.Pos
	var sum ast.Expr = n
	for {
		b, ok := sum.(*ast.BinaryExpr)
		if !ok || b.Op != token.ADD || t.in.info.Types[b].Value != nil {
			break
		}
		plus, sum = append(plus, b.OpPos), b.X
	}
	if !types.Identical(t.in.info.TypeOf(n), types.Typ[types.String]) {
		return nil, together
	}
	return t.interned(fromParts, func(v *Variant, name string) {
		v.put(n.Pos(), n.Pos(), name+"(")
		for _, at := range plus {
			v.put(at, at+1, ",")
		}
		v.put(n.End(), n.End(), ")")
	})
}

// appending is the function that appends to a slice what another one returns as a string.
type appending struct {
	name  string // of the function or method, in the same package or of the same type
	since int    // the version of Go, as 19 of go1.19
	// before and after stand around the first argument; a third one comes last.
	before, after, last string
}

// appendings are such functions, by those that return a string.
var appendings = map[string]appending{
	"fmt.Sprintf":                 {name: "Appendf", since: 19},
	"fmt.Sprint":                  {name: "Append", since: 19},
	"fmt.Sprintln":                {name: "Appendln", since: 19},
	"strconv.Itoa":                {name: "AppendInt", before: "int64(", after: ")", last: ", 10"},
	"strconv.FormatInt":           {name: "AppendInt"},
	"strconv.FormatUint":          {name: "AppendUint"},
	"strconv.FormatFloat":         {name: "AppendFloat"},
	"strconv.Quote":               {name: "AppendQuote"},
	"(time.Time).Format":          {name: "AppendFormat"},
	"encoding/hex.EncodeToString": {name: "AppendEncode", since: 22},
	"(*encoding/base64.Encoding).EncodeToString": {name: "AppendEncode", since: 22},
}

// formatted gives the variants of a call that returns a string which could be appended to a slice;
// neither a variant nor a reason for others.
func (t texts) formatted(n *ast.CallExpr, fn *types.Func) ([]Variant, string) {
	to, known := appendings[fn.FullName()]
	sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
	if !known || !ok || len(n.Args) == 0 || !t.in.since(to.since) || !t.beside(sel, fn, to.name) {
		return nil, ""
	}
	if _, several := t.in.info.TypeOf(n.Args[0]).(*types.Tuple); several {
		return nil, "its arguments are the results of one call"
	}
	return t.interned(fromBytes, func(v *Variant, name string) {
		v.put(n.Pos(), n.Pos(), name+"(")
		v.put(sel.Sel.Pos(), sel.Sel.End(), to.name)
		v.put(n.Args[0].Pos(), n.Args[0].Pos(), fmt.Sprintf("make([]byte, 0, %d), %s", mostInterned, to.before))
		v.put(n.Args[0].End(), n.Args[0].End(), to.after+to.last)
		v.put(n.End(), n.End(), ")")
	})
}

// beside reports whether a selector that names a function or method would name that one of the same package or type
// by another name: a type that embeds the type may have one of its own.
func (t texts) beside(sel *ast.SelectorExpr, fn *types.Func, name string) bool {
	if fn.Signature().Recv() == nil {
		return true
	}
	if t.in.info.Types[sel.X].IsType() {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(t.in.info.TypeOf(sel.X), true, t.in.pkg.Types, name)
	other, ok := obj.(*types.Func)
	return ok && strings.TrimSuffix(other.FullName(), name) == strings.TrimSuffix(fn.FullName(), fn.Name())
}
