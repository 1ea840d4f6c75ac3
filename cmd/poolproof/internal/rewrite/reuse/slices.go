package reuse

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// The largest slice that a frame holds, and the smallest that is worth it.
const (
	mostStack  = 1024
	leastStack = 64
)

// made gives the variants of a make.
func (a *allocation) made(n *ast.CallExpr) ([]Variant, string) {
	t := a.in.info.TypeOf(n)
	element := sliceOf(t)
	if element == nil {
		if _, ok := t.Underlying().(*types.Map); ok {
			return a.mapped(n)
		}
		if _, ok := t.Underlying().(*types.Chan); !ok {
			return nil, fmt.Sprintf("it is of the type %s, which is a type parameter: no array and no pool has it", a.in.short(t))
		}
		return nil, "a channel: both ends would have to know that nothing waits there any more"
	}
	l, why := a.local()
	if why != "" {
		return nil, why
	}
	for _, size := range n.Args[1:] {
		if !isInt(a.in.info.TypeOf(size)) {
			return nil, "its size is not of the type int"
		}
	}
	evidence, kept, why := a.lasts(l)
	switch {
	case evidence != "":
	case !nameable(element): // the compiler looks at generic functions where they are used
		evidence = Semantics // an array in the frame is safe whatever becomes of it
	default:
		return nil, why
	}
	m := makes{a.in, a, n, l, element, evidence}
	if l.loop != nil && evidence != Semantics {
		return m.hoist()
	}
	var vs []Variant
	if v := m.stack(); v != nil {
		vs = append(vs, *v)
	}
	v, why := m.pool(kept)
	if v != nil {
		vs = append(vs, *v)
	}
	return vs, why
}

// lasts is the evidence that what the node allocates, which a variable holds, ends with its
// function, or why there is none. kept is a use that the contracts do not know.
func (a *allocation) lasts(l *local) (e Evidence, kept *refusal, why string) {
	k := newKeeper(a.in)
	k.late = l.loop != nil
	kept = k.keeps(l.v, l.body, slice)
	switch e = a.proof(); {
	case e != "":
	case kept == nil:
		e = Contract
	case a.site.Observed && l.loop == nil: // of an iteration it says nothing
		e = Observed
	default:
		why = "it may outlive the function: " + k.say(kept)
	}
	return e, kept, why
}

// sliceOf is the element type of a slice; nil for other types.
func sliceOf(t types.Type) types.Type {
	if s, ok := t.Underlying().(*types.Slice); ok {
		return s.Elem()
	}
	return nil
}

// makes is x := make([]T, n).
type makes struct {
	in       *source
	a        *allocation
	call     *ast.CallExpr
	l        *local
	element  types.Type
	evidence Evidence
}

// lengths are lines that evaluate the sizes once, and the names of length and capacity.
func (m makes) lengths() (lines []string, length, capacity string) {
	if id, ok := m.call.Args[1].(*ast.Ident); ok && len(m.call.Args) == 2 && id.Name != m.l.v.Name() {
		if v, ok := m.in.info.Uses[id].(*types.Var); ok && v.Parent() != m.in.pkg.Types.Scope() {
			return nil, id.Name, id.Name // nothing changes it between
		}
	}
	length = m.in.free(m.l.v.Name() + "Len")
	if len(m.call.Args) == 2 {
		return []string{length + " := " + m.size(1)}, length, length
	}
	capacity = m.in.free(m.l.v.Name() + "Cap")
	return []string{fmt.Sprintf("%s, %s := %s, %s", length, capacity, m.size(1), m.size(2))}, length, capacity
}

// size is an argument of make, of the type int also where a variable gets it: 1e3 and 'z' are not.
func (m makes) size(at int) string {
	e := m.call.Args[at]
	if lit, ok := ast.Unparen(e).(*ast.BasicLit); m.in.info.Types[e].Value == nil || ok && lit.Kind == token.INT {
		return m.in.code(e)
	}
	return "int(" + m.in.code(e) + ")"
}

// stack puts the slice into the frame where it is small.
func (m makes) stack() *Variant {
	constant := true
	for _, size := range m.call.Args[1:] {
		constant = constant && m.in.info.Types[size].Value != nil
	}
	generic := !nameable(m.element)
	if m.evidence != Compiler && !generic || constant || m.a.site.Size() > mostStack {
		return nil
	}
	element := m.elementText()
	if element == "" || says(m.in.code(m.call.Args[0]), m.l.v.Name()) {
		return nil
	}
	k := max(leastStack, int64(1.5*m.a.site.Size())) / elementSize(m.in.pkg, m.l.v.Type())
	v := m.a.begin(Stack, m.evidence)
	name, array := m.l.v.Name(), m.in.free(m.l.v.Name()+"Array")
	lines, length, capacity := m.lengths()
	v.put(m.l.stmt.Pos(), m.l.stmt.End(), append(lines,
		fmt.Sprintf("var %s [%d]%s", array, max(1, k), element),
		fmt.Sprintf("var %s %s", name, m.in.code(m.call.Args[0])),
		fmt.Sprintf("if %s && %s <= len(%s) {", fits(length, capacity), capacity, array),
		fmt.Sprintf("%s = %s[:%s:%s]", name, array, length, capacity),
		"} else {",
		fmt.Sprintf("%s = make(%s)", name, join(m.in.code(m.call.Args[0]), length, capacity)),
		"}")...)
	return v
}

// fits is the condition under which make does not panic for a length and a capacity that are
// not too large.
func fits(length, capacity string) string {
	if length == capacity {
		return "0 <= " + length
	}
	return "0 <= " + length + " && " + length + " <= " + capacity
}

// misfits is the opposite of fits.
func misfits(length, capacity string) string {
	if length == capacity {
		return length + " < 0"
	}
	return length + " < 0 || " + length + " > " + capacity
}

// join lists the arguments of make, the capacity where it is one of its own.
func join(t, length, capacity string) string {
	if capacity == length {
		return t + ", " + length
	}
	return t + ", " + length + ", " + capacity
}

// elementText is the element type as the file writes it; "" if it cannot.
func (m makes) elementText() string {
	if array, ok := ast.Unparen(m.call.Args[0]).(*ast.ArrayType); ok {
		return m.in.code(array.Elt)
	}
	return m.in.typeHere(m.element)
}

// hoist takes the slice out of the loop.
func (m makes) hoist() ([]Variant, string) {
	if !m.in.named(m.call.Args[0], m.l.loop.Pos()) {
		return nil, "its type is declared inside of the loop"
	}
	name, t := m.l.v.Name(), m.in.code(m.call.Args[0])
	v, kept, why := m.a.before(m.l, m.evidence, t)
	if why != "" {
		return nil, why
	}
	lines, length, capacity := m.lengths()
	whole := name
	if capacity != length {
		whole = fmt.Sprintf("%s[:%s]", name, capacity)
	}
	v.put(m.l.stmt.Pos(), m.l.stmt.End(), append(lines,
		fmt.Sprintf("if %[1]s == nil || %[2]s || %[3]s > cap(%[1]s) {", kept, misfits(length, capacity), capacity),
		fmt.Sprintf("%s = make(%s)", kept, join(t, length, capacity)), // which panics where it did
		"}",
		fmt.Sprintf("%s := %s[:%s:%s]", name, kept, length, capacity),
		m.in.clearing(whole, m.elementText()))...)
	if !m.in.since(21) && m.elementText() == "" {
		return nil, "its element type has no name in this file"
	}
	return []Variant{*v}, ""
}

// pool takes the slice from a sync.Pool. kept is a use that the contracts do not know.
func (m makes) pool(kept *refusal) (*Variant, string) {
	v := m.a.begin(Pool, m.evidence)
	element := v.typeText(m.element)
	switch {
	case element == "":
		return nil, fmt.Sprintf("no pool: its elements are of the type %s, which package-level code cannot name", m.in.short(m.element))
	case says(element, "p", "s", "n", "length"):
		return nil, fmt.Sprintf("no pool: its elements are of the type %s, which names that the code declares hide", element)
	case kept != nil && deferredBefore(m.l.body, m.l.stmt.Pos()):
		return nil, afterPut
	}
	stem := m.a.stem(m.l.v.Name())
	pool, get, put := m.in.free(stem+"Pool"), m.in.free("get"+upper(stem)), m.in.free("put"+upper(stem))
	name, pointer := m.l.v.Name(), m.in.free(m.l.v.Name()+"Pooled")
	whole := fmt.Sprintf("(*%s)[:len(*%s):len(*%s)]", pointer, pointer, pointer)
	sizes, params, length := m.in.code(m.call.Args[1]), "n", "n"
	var lines []string
	if len(m.call.Args) == 3 {
		var size string
		lines, length, size = m.lengths()
		sizes, params = length+", "+size, "length, n"
		whole = fmt.Sprintf("(*%s)[:%s:%s]", pointer, length, size)
		length = "length"
	}
	if _, literal := ast.Unparen(m.call.Args[0]).(*ast.ArrayType); !literal {
		whole = fmt.Sprintf("%s(%s)", m.in.code(m.call.Args[0]), whole)
	}
	v.put(m.l.stmt.Pos(), m.l.stmt.End(), append(lines,
		fmt.Sprintf("%s := %s(%s)", pointer, get, sizes),
		fmt.Sprintf("defer %s(%s)", put, pointer),
		fmt.Sprintf("%s := %s", name, whole))...)
	onGet, onPut := "\t\t\t"+m.in.clearing("*p", element)+"\n", poisonHere
	v.poison = poisonSlice(elementSize(m.in.pkg, m.l.v.Type()))
	if hasPointers(m.element) {
		onGet, onPut, v.poison = "", "\t"+m.in.clearing("(*p)[:cap(*p)]", element)+" // what they point to is not kept\n", ""
	}
	made := fmt.Sprintf("make(%s)", join("[]"+element, length, "n"))
	if length != "n" {
		made += "[:n]"
	}
	sync := v.use("sync", "sync")
	v.code = fmt.Sprintf(`// %[1]s has slices that were used before.
var %[1]s %[2]s.Pool

// %[3]s returns a slice of n zeroed elements, for %[4]s.
func %[3]s(%[9]s int) *[]%[5]s {
	if %[10]s { // else make panics
		if p, _ := %[1]s.Get().(*[]%[5]s); p != nil && n <= cap(*p) {
			*p = (*p)[:n]
%[6]s			return p
		}
	}
	s := %[11]s
	return &s
}

// %[4]s gives a slice back, unless it is too large to be kept. Nothing may use it after that.
func %[4]s(p *[]%[5]s) {
	if cap(*p) > %[7]s {
		return
	}
%[8]s	%[1]s.Put(p)
}
`, pool, sync, get, put, element, onGet, limit(elementSize(m.in.pkg, m.l.v.Type()), int64(m.a.site.Size())), onPut,
		params, fits(length, "n"), made)
	return v, ""
}

// poisonSlice overwrites all that a slice has room for.
func poisonSlice(element int64) string {
	return fmt.Sprintf(`	if all := (*p)[:cap(*p)]; len(all) > 0 {
		for i := 0; i < len(all)*%d; i++ {
			*(*byte)(poolproofUnsafe.Pointer(uintptr(poolproofUnsafe.Pointer(&all[0])) + uintptr(i))) = 0xDB
		}
	}
`, element)
}
