package paths_test

import (
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/sourcetest"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// common is shared by the sources of the tests. The functions of one
// letter are marks: a path is the marks that it passes.
const common = `package p

import "errors"

func start() {}
func a()     {}
func b()     {}
func c()     {}
func end()   {} // no path goes on behind it

func cond() bool { return false }
func fail() error { return nil }

type state struct {
	done, other bool
	n           int
	p           *int
	in          struct{ done bool }
}

var _ = errors.New
var global bool
`

// marks is a visitor that collects the marks of each path.
type marks struct {
	found map[string]bool
}

func (m *marks) Visit(instr ssa.Instruction, s *paths.State) bool {
	switch instr := instr.(type) {
	case *ssa.Call:
		switch name := instr.Call.Value.Name(); name {
		case "end":
			return false
		case "a", "b", "c":
			s.Note(name, true)
		}
	case *ssa.Return:
		var passed []string
		s.Noteds(func(what any, _ bool) {
			if name, ok := what.(string); ok {
				passed = append(passed, name)
			}
		})
		slices.Sort(passed)
		m.found[strings.Join(passed, "")] = true
	}
	return true
}

func (m *marks) Merge(*ssa.Phi, ssa.Value, *paths.State) {}

func (m *marks) Branch(*ssa.If, bool, *paths.State) bool { return true }

// walk returns the paths of the function F of a source, from the call of start on if
// there is one.
func walk(t *testing.T, source string, budget int) (found []string, gaveUp bool) {
	t.Helper()
	funcs := sourcetest.Functions(t, common+source)
	f := funcs["F"]
	p := flow.NewProgram(slices.Collect(maps.Values(funcs)), func(*types.Func) *summary.Summary { return nil })
	w := &paths.Walker{Program: p, Budget: budget}
	m := &marks{found: make(map[string]bool)}
	var from ssa.Instruction
	for _, block := range f.Blocks {
		for _, instr := range block.Instrs {
			if call, ok := instr.(*ssa.Call); ok && call.Call.Value.Name() == "start" {
				from = instr
			}
		}
	}
	if from == nil {
		w.Entry(f, m)
	} else {
		w.From(from, m)
	}
	return slices.Sorted(maps.Keys(m.found)), w.GaveUp
}

func TestThePathsOfAFunction(t *testing.T) {
	for name, test := range map[string]struct {
		source string
		want   string // the marks of each path, "-" for a path without one
	}{
		"one":                                           {`func F() { a(); b() }`, "ab"},
		"both branches":                                 {`func F(x bool) { if x { a() } else { b() } }`, "a b"},
		"each of two conditions":                        {`func F(x, y bool) { if x { a() }; if y { b() } }`, "- a ab b"},
		"one condition twice":                           {`func F(x bool) { if x { a() }; if x { b() } }`, "- ab"},
		"a condition and its opposite":                  {`func F(x bool) { if x { a() }; if !x { b() } }`, "a b"},
		"opposites of opposites":                        {`func F(x bool) { y := !x; if !y { a() }; if y { b() } }`, "a b"},
		"a method that only reads is asked":             {`type t struct{ n int }; func (v *t) one() bool { return v.n == 1 || v.n == 2 }; func F(v *t) { if v.one() { a() }; if !v.one() { b() } }`, "a b"},
		"a method that writes is asked anew":            {`type t struct{ n int }; func (v *t) one() bool { v.n++; return v.n == 1 }; func F(v *t) { if v.one() { a() }; if !v.one() { b() } }`, "- a ab b"},
		"a method of another object":                    {`type t struct{ n int }; func (v *t) one() bool { return v.n == 1 }; func F(v, w *t) { if v.one() { a() }; if !w.one() { b() } }`, "- a ab b"},
		"what a method reads is set in between":         {`type t struct{ n int }; func (v *t) one() bool { return v.n == 1 }; func F(v *t) { if v.one() { a() }; v.n = 3; if !v.one() { b() } }`, "- a ab b"},
		"a function of numbers is asked":                {`func odd(n int) bool { return n%2 == 1 }; func F(n int) { if odd(n) { a() }; if !odd(n) { b() } }`, "a b"},
		"fields of which one is set, each":              {`type t struct{ x, y bool }; func mk() (*t, *t) { return &t{x: true}, &t{y: true} }; func F(v *t) { if v.x { a() }; if v.y { b() } }`, "- a b"},
		"fields of which one is set, and tested":        {`type t struct{ x, y bool }; func mk() (*t, *t) { return &t{x: true}, &t{y: true} }; func F(v *t) { if !v.x { a() }; if v.y { b() } }`, "- a ab"},
		"fields that are both set":                      {`type t struct{ x, y bool }; func mk() (*t, *t) { return &t{x: true, y: true}, &t{y: true} }; func F(v *t) { if v.x { a() }; if v.y { b() } }`, "- a ab b"},
		"a field that is set later":                     {`type t struct{ x, y bool }; func mk() (*t, *t) { return &t{x: true}, &t{y: true} }; func (v *t) m() { v.y = true }; func F(v *t) { if v.x { a() }; if v.y { b() } }`, "- a ab b"},
		"fields of two objects":                         {`type t struct{ x, y bool }; func mk() (*t, *t) { return &t{x: true}, &t{y: true} }; func F(v, w *t) { if v.x { a() }; if w.y { b() } }`, "- a ab b"},
		"a call is asked anew":                          {`func F() { if cond() { a() }; if cond() { b() } }`, "- a ab b"},
		"a merged value that was a field's":             {`func F(v *state, x bool) { var p *int; if x { p = v.p; if p != nil { a() } }; if p == nil { b() } }`, "a b"},
		"what a field held before it was set":           {`func F(v *state) { p := v.p; v.p = nil; if p != nil { a() }; if p == nil { b() } }`, "a b"},
		"and what it held, tested before":               {`func F(v *state) { p := v.p; if p != nil { a() }; v.p = nil; if p != nil { b() } }`, "- ab"},
		"and what it was known to hold":                 {`func F(v *state) { v.p = nil; p := v.p; v.p = new(int); if p != nil { a() }; if p == nil { b() } }`, "b"},
		"and what it holds then":                        {`func F(v *state) { p := v.p; v.p = nil; if p != nil { a() }; if v.p != nil { b() } }`, "- a"},
		"a field that is set on one path, asked again":  {`func F(v *state, x bool) { if v.p != nil { a() }; if x { v.p = nil; c() }; if v.p != nil { b() } }`, "- ab ac c"},
		"another name of one pointer, perhaps":          {`func F(x bool) { p := new(int); q := p; if x { q = new(int); a() }; if p != q { b() } }`, "- a ab"},
		"another name, asked the other way":             {`func F(x bool) { p := new(int); q := p; if x { q = new(int); a() }; if q == p { b() } }`, "a ab b"},
		"another name of one number, which may be NaN":  {`func F(x bool, p float64) { q := p; if x { q = 1; a() }; if p != q { b() } }`, "- a ab b"},
		"the pointer of the round before":               {`func F() { var last *int; for cond() { p := new(int); if p == last { a() }; last = p } }`, "- a"},
		"equal to two constants":                        {`func F(x int) { if x == 1 { a() }; if x == 2 { b() } }`, "- a b"},
		"equal to a length and a constant":              {`func F(n int, x []int) { if n == len(x) { a() }; if n == 2 { b() } }`, "- a ab b"},
		"equal to a negated value and a constant":       {`func F(n, m int) { if n == -m { a() }; if n == 2 { b() } }`, "- a ab b"},
		"equal and not":                                 {`func F(x int) { if x == 1 { a() }; if x != 1 { b() } }`, "a b"},
		"equal to nil":                                  {`func F(x *int) { if x == nil { a() }; if nil != x { b() } }`, "a b"},
		"not equal to one constant":                     {`func F(x int) { if x != 1 { a() }; if x == 2 { b() } }`, "- a ab"},
		"order":                                         {`func F(x, y int) { if x < y { a() }; if x >= y { b() } }`, "a b"},
		"order, turned round":                           {`func F(x, y int) { if x > y { a() }; if y < x { b() } }`, "- ab"},
		"order or equality":                             {`func F(x, y int) { if x <= y { a() }; if y < x { b() } }`, "a b"},
		"order of others":                               {`func F(x, y int) { if x < y { a() }; if y < x { b() } }`, "- a ab b"},
		"of lengths":                                    {`func F(x []int) { if len(x) > 3 { a() }; if len(x) <= 3 { b() } }`, "a b"},
		"and":                                           {`func F(x, y bool) { if x && y { a() }; if x { b() } }`, "- ab b"},
		"or":                                            {`func F(x, y bool) { if x || y { a() }; if !x && !y { b() } }`, "a b"},
		"a field":                                       {`func F(s *state) { if s.done { a() }; if s.done { b() } }`, "- ab"},
		"a field that is written":                       {`func F(s *state) { if s.done { a() }; s.done = cond(); if s.done { b() } }`, "- a ab b"},
		"a field that is set":                           {`func F(s *state) { s.done = true; if s.done { a() } else { b() } }`, "a"},
		"a field that is set to nil":                    {`func F(s *state) { s.p = nil; if s.p != nil { a() } }`, "-"},
		"a field that is set to a number":               {`func F(s *state) { s.n = 1; if s.n == 2 { a() } }`, "-"},
		"another field that is written":                 {`func F(s *state) { if s.done { a() }; s.other = cond(); if s.done { b() } }`, "- ab"},
		"a part of it is written":                       {`func F(s, o *state) { if s.in == o.in { a() }; s.in.done = cond(); if s.in == o.in { b() } }`, "- a ab b"},
		"the struct around it is written":               {`func F(s *state) { if s.in.done { a() }; s.in = struct{ done bool }{cond()}; if s.in.done { b() } }`, "- a ab b"},
		"the field of another":                          {`func F(s, o *state) { if s.done { a() }; o.done = true; if s.done { b() } }`, "- ab"},
		"of another struct":                             {`func F(s, o *state) { if s.done { a() }; if o.done { b() } }`, "- a ab b"},
		"a variable with an address":                    {`func F() { x := false; p := &x; if cond() { x = true; a() }; if x { b() }; _ = p }`, "- ab"},
		"a flag":                                        {`func F() { x := false; if cond() { x = true; a() }; if x { b() } }`, "- ab"},
		"a flag that a loop sets":                       {`func F() { x := false; for cond() { x = true; a() }; if x { b() } }`, "- ab"},
		"a value that may be nil":                       {`func F(p *int) { var x *int; if cond() { x = new(int); a() }; if x != nil { b() } }`, "- ab"},
		"an error that is none":                         {`func F() { var err error; if cond() { err = errors.New("x"); a() }; if err != nil { b() } }`, "- ab"},
		"an error that may be":                          {`func F() { var err error; if cond() { err = fail(); a() }; if err != nil { b() } }`, "- a ab"},
		"a package variable":                            {`func F() { if global { a() }; if global { b() } }`, "- ab"},
		"a loop that may not begin":                     {`func F() { for cond() { a() }; b() }`, "ab b"},
		"a loop that is left":                           {`func F() { for { if cond() { a(); break }; b() } }`, "a ab"},
		"a loop asks for its own value":                 {`func F(list []bool) { for _, x := range list { if x { a() }; if !x { b() } } }`, "- a ab b"},
		"in a round they contradict":                    {`func F(list []bool) { for _, x := range list { if x { a() } else { break }; if !x { b() } } }`, "- a"},
		"what was set before the loop":                  {`func F() { x := true; for cond() { if x { a() }; x = false; if x { b() } } }`, "- a"},
		"switch":                                        {`func F(x int) { switch x { case 1: a(); case 2: b(); default: c() } }`, "a b c"},
		"fallthrough":                                   {`func F(x int) { switch x { case 1: a(); fallthrough; case 2: b(); default: c() } }`, "ab b c"},
		"goto":                                          {`func F(x bool) { if x { goto l }; a(); l: b() }`, "ab b"},
		"a panic has no end":                            {`func F(x bool) { if x { a(); panic(x) }; b() }`, "b"},
		"a visitor ends a path":                         {`func F(x bool) { if x { a(); end() }; b() }`, "b"},
		"from an instruction":                           {`func F(x bool) { a(); start(); if x { b() }; c() }`, "bc c"},
		"under the conditions before":                   {`func F(x bool) { if x { a(); start(); b() }; if x { c() } }`, "bc"},
		"under the opposite":                            {`func F(x bool) { if x { a(); return }; start(); if x { b() }; c() }`, "c"},
		"under a condition, after too many paths":       {`func F(x, v, w, y, z, u bool) { ` + askedTwice("vwyzu") + `; if x { start(); if x { a() } else { b() } } }`, "a"},
		"under several":                                 {`func F(x, y bool) { if x { if y { start() } }; if x { a() }; if y { b() } }`, "ab"},
		"behind a merge nothing is known":               {`func F(x bool) { if x { a() } else { b() }; start(); if x { c() } }`, "- c"},
		"what was decided before an instruction":        {`func F(x bool) { f := false; if x { f = true }; if f { start() }; if x { a() } else { b() } }`, "a"},
		"what was decided twice":                        {`func F(x, y bool) { f := x && y; if !f { return }; start(); if x { a() }; if !y { b() } }`, "a"},
		"what two ways to an instruction have decided":  {`func F(x bool) { n := 1; if x { n = 2 }; start(); if x { a() }; if n == 2 { b() } }`, "- ab"},
		"what an instruction before it has changed":     {`func F(s *state) { if s.done { s.done = false; start(); if s.done { a() } } }`, "-"},
		"what is computed anew in the next round":       {`func F(list []int) { var last error; for range list { e := fail(); if last != nil { a() }; if e == nil { b() } else { last = e } } }`, "- a ab b"},
		"where no path leads":                           {`func F(x bool) { if x { if !x { start() } }; a() }`, ""},
		"in a loop from an instruction":                 {`func F(list []int) { for range list { a(); start(); b() } }`, "ab b"},
		"select":                                        {`func F(x, y chan int) { select { case <-x: a(); case <-y: b() } }`, "a b"},
		"a type switch":                                 {`func F(x any) { switch x.(type) { case int: a(); case string: b() }; if x == nil { c() } }`, "- a ac b bc c"},
		"conditions that are asked once make no states": {many(30), "a b"},
	} {
		t.Run(name, func(t *testing.T) {
			found, gaveUp := walk(t, test.source, 20000)
			for i, path := range found {
				if path == "" {
					found[i] = "-"
				}
			}
			if d := cmp.Diff(test.want, strings.Join(found, " ")); d != "" {
				t.Errorf("%s\n-want +got:\n%s", test.source, d)
			}
			if gaveUp {
				t.Error("the walk gave up")
			}
		})
	}
}

// many is a function with n conditions that are asked once, and one that is
// asked twice.
func many(n int) string {
	var s strings.Builder
	s.WriteString("func F(x []bool, y bool) {\n")
	for i := range n {
		digits := string(rune('0'+i/10)) + string(rune('0'+i%10))
		s.WriteString("if x[" + digits + "] { println(" + digits + ") }\n")
	}
	s.WriteString("if y { a() }; if !y { b() } }")
	return strings.ReplaceAll(strings.ReplaceAll(s.String(), "[0", "["), "(0", "(")
}

// askedTwice asks each of some variables of one letter twice.
func askedTwice(names string) string {
	var all []string
	for _, name := range names {
		all = append(all, "if "+string(name)+" { println() }")
	}
	return strings.Join(append(all, all...), "; ")
}

func TestABudgetEndsAWalk(t *testing.T) {
	const source = `func F(x, y bool) { if x { a() }; if y { b() } }`
	if _, gaveUp := walk(t, source, 3); !gaveUp {
		t.Error("three steps were enough for four paths")
	}
	if found, gaveUp := walk(t, source, 100); gaveUp || len(found) != 4 {
		t.Errorf("a hundred steps: %q, gave up: %t", found, gaveUp)
	}
}

func TestWhatAMergedValueIsOnAPath(t *testing.T) {
	funcs := sourcetest.Functions(t, common+`func F(x bool) error { var err error; if x { err = errors.New("x") }; if err != nil { a() }; return err }`)
	p := flow.NewProgram(slices.Collect(maps.Values(funcs)), func(*types.Func) *summary.Summary { return nil })
	e := &edges{found: make(map[bool]int)}
	w := &paths.Walker{Program: p, Budget: 1000}
	w.Entry(funcs["F"], e)
	if e.found[true] != 1 || e.found[false] != 1 {
		t.Errorf("nil on %d paths, an error on %d; want one each", e.found[true], e.found[false])
	}
}

// edges is a visitor that looks at what a function returns on each path.
type edges struct {
	marks
	found map[bool]int
}

func (e *edges) Visit(instr ssa.Instruction, s *paths.State) bool {
	if ret, ok := instr.(*ssa.Return); ok {
		if phi, ok := ret.Results[0].(*ssa.Phi); ok {
			e.found[ssax.IsNil(s.Resolve(phi))]++
		}
	}
	return true
}
