// Package summary is what is known of a function without its code: what it does
// with what it is given, and what its results are.
//
// A summary is a fact: it is kept beside the compiled package and read where the
// function is called. Facts are written by encoding/gob, so they hold sorted
// slices and no maps, whose order would change from run to run.
package summary

import (
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Mask is a set of parameters or of results. Parameter 0 is the receiver, if
// there is one; after the parameters of a function literal come the variables
// that it captures. What is beyond 64 is in no set.
type Mask uint64

// Bit returns the set of i alone.
func Bit(i int) Mask {
	if i < 0 || i >= 64 {
		return 0
	}
	return 1 << i
}

// Has reports whether i is in the set.
func (m Mask) Has(i int) bool { return m&Bit(i) != 0 }

// Members returns the members of the set in order.
func (m Mask) Members() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range 64 {
			if m.Has(i) && !yield(i) {
				return
			}
		}
	}
}

// Summary describes the effects of a function.
type Summary struct {
	// Getter are the results that are pooled objects, for the caller to put.
	Getter Mask
	// GotFailing are the results that are pooled objects, for the caller to put, on some return of
	// an error too.
	GotFailing Mask
	// MustPut are the parameters that are put on every path to a return, but for
	// those on which they are nil.
	MustPut Mask
	// Release are the parameters that a caller gives up: they are put, or are left
	// to the collector because of what they are themselves, say too large.
	Release Mask
	// MayPut are the parameters that are put on some path.
	MayPut Mask
	// MayEmpty are the parameters, lists, of which some elements are put on some path.
	MayEmpty Mask
	// Collects are the parameters, lists, of which some elements are stored where they
	// outlive the call.
	Collects Mask
	// FailPut are the parameters that are put on every path to a return of an
	// error, and on no other: the caller has them still if there is none.
	FailPut Mask
	// RefPut are the parameters that are put when a count of references reaches
	// zero.
	RefPut Mask
	// Retains are the parameters that go where they outlive the call.
	Retains Mask
	// Keeps are the parameters that the function certainly stores where they stay
	// when it has returned. Retains excuses, Keeps accuses.
	Keeps Mask
	// Lends are the parameters that are passed, whole, to code that the function
	// does not know: a function value or a method of an interface.
	Lends Mask
	// Passes are the parameters that are passed, whole, to functions which are parameters
	// too: the caller knows what becomes of them.
	Passes []Passed
	// Starts are the parameters that are functions which run in a goroutine that
	// the function starts.
	Starts Mask
	// Lingers are the parameters that a goroutine may use when the function has
	// returned.
	Lingers []Lingering
	// Counts is set if the result tells whether a count of references has reached
	// zero.
	Counts bool
	// Owns are the parameters that a directive says the function takes over.
	Owns Mask
	// Borrows are the parameters of which a directive says it keeps nothing.
	Borrows Mask
	// Fills are the parameters that the function stores others in, and does nothing
	// else with.
	Fills Mask
	// Works are the parameters that the function puts, and works on before: what a
	// caller has stored in one is still the caller's.
	Works Mask
	// ReadOnly are the results that others read at the same time, so that nobody may
	// write them.
	ReadOnly Mask
	// Callbacks are the parameters that are function values, and what becomes of what
	// they are called with.
	Callbacks []Callback
	// Returns are the parameters that are, or are in, results.
	Returns []Flow
	// Into are the parameters that are stored inside of other parameters.
	Into []Flow
	// Leases are the results that end other results: To is a function that the
	// caller calls when it is done with the results From.
	Leases []Flow
	// Detach are the fields of parameters that are overwritten.
	Detach []Fields
	// Told are the parameters that are put on some paths, where a result tells the
	// caller on which.
	Told []Told
	// GotIf are the results that are pooled objects only if another result says so, a
	// bool: Param is the one, Result the other.
	GotIf []Told
	// GotAt are the results that are pooled objects only where another result, an integer, is
	// a constant, and nil otherwise.
	GotAt []Status
	// GotIfNil are the results that are pooled objects only where a parameter is nil, and
	// which a caller has nothing of otherwise: Param is that one, Result the result.
	GotIfNil []Told
	// Fields are the effects on objects in fields of parameters.
	Fields []FieldEffect
	// Views are the results that may be what fields of parameters hold.
	Views []View
	// Emptied are the lists whose elements are put.
	Emptied []Emptied
	// Holders are the results that are new structs with a pooled object in them,
	// which a function puts that gets the struct.
	Holders Mask
	// From are the pools that results come from, To those that parameters are put
	// into, where it is always the same one.
	From, To []PoolRef
}

// Told says that parameter Param was put if Result is true (an error: nil), where
// Value is set; else if it is false (an error: not nil).
type Told struct {
	Param, Result int
	Value         bool
}

// Status says that result Got is nil unless result Result is Value.
type Status struct {
	Got, Result int
	Value       int64
}

// Passed says that parameter Func, a function, is called with parameter Param as its
// argument Arg.
type Passed struct {
	Param, Func, Arg int
}

// Flow says that the parameters From are in To: a result, or another parameter.
type Flow struct {
	To    int
	From  Mask // always
	May   Mask // on some paths, or only partly
	Some  Mask // of these: To is their memory itself on a path that returns no error
	Holds Mask // of both: To is not their memory itself, but something that refers to it
}

// Fields are fields of a parameter: of the struct that it points to.
type Fields struct {
	Param  int
	Fields []int // sorted; All is every field
}

// All stands for every field, and for the slice that a pointer to a slice points
// to.
const All = -1

// AFact marks Summary as a fact.
func (*Summary) AFact() {}

// named is a set of parameters or results, with its name.
type named struct {
	name string
	set  Mask
}

// masks returns all sets.
func (s *Summary) masks() [19]named {
	return [...]named{
		{"Getter", s.Getter}, {"MustPut", s.MustPut}, {"Release", s.Release}, {"MayPut", s.MayPut}, {"RefPut", s.RefPut},
		{"Retains", s.Retains}, {"Lends", s.Lends}, {"Keeps", s.Keeps}, {"Owns", s.Owns}, {"Borrows", s.Borrows},
		{"Starts", s.Starts}, {"FailPut", s.FailPut}, {"Holders", s.Holders}, {"Fills", s.Fills}, {"Works", s.Works},
		{"MayEmpty", s.MayEmpty}, {"Collects", s.Collects}, {"ReadOnly", s.ReadOnly}, {"GotFailing", s.GotFailing},
	}
}

// Zero reports whether nothing is known, or nothing done.
func (s *Summary) Zero() bool { return s.Equal(new(Summary)) }

// Equal reports whether both say the same.
func (s *Summary) Equal(o *Summary) bool {
	return s.masks() == o.masks() && s.Counts == o.Counts &&
		slices.Equal(s.Lingers, o.Lingers) && slices.Equal(s.Returns, o.Returns) && slices.Equal(s.Into, o.Into) &&
		slices.Equal(s.Leases, o.Leases) && slices.Equal(s.Told, o.Told) && slices.Equal(s.GotIf, o.GotIf) &&
		slices.Equal(s.GotAt, o.GotAt) && slices.Equal(s.GotIfNil, o.GotIfNil) && slices.Equal(s.Fields, o.Fields) &&
		slices.Equal(s.Views, o.Views) && slices.Equal(s.Emptied, o.Emptied) && slices.Equal(s.From, o.From) && slices.Equal(s.To, o.To) &&
		slices.Equal(s.Callbacks, o.Callbacks) && slices.Equal(s.Passes, o.Passes) &&
		slices.EqualFunc(s.Detach, o.Detach, func(a, b Fields) bool {
			return a.Param == b.Param && slices.Equal(a.Fields, b.Fields)
		})
}

// Gives reports whether a caller that passes i gives it up for certain: it must
// not touch it afterwards.
func (s *Summary) Gives(i int) bool { return (s.MustPut | s.Release | s.Owns).Has(i) }

// Takes reports whether the function may do something lasting with parameter i.
func (s *Summary) Takes(i int) bool {
	return (s.MayPut | s.RefPut | s.Retains | s.Keeps | s.Lends | s.Owns | s.MayEmpty | s.Collects).Has(i)
}

// Tells returns how the caller is told whether parameter i was put.
func (s *Summary) Tells(i int) (Told, bool) {
	for _, t := range s.Told {
		if t.Param == i {
			return t, true
		}
	}
	return Told{}, false
}

// Return returns what result r is made of.
func (s *Summary) Return(r int) (Flow, bool) { return find(s.Returns, r) }

// Stored returns what is stored in parameter i.
func (s *Summary) Stored(i int) (Flow, bool) { return find(s.Into, i) }

func find(flows []Flow, to int) (Flow, bool) {
	for _, f := range flows {
		if f.To == to {
			return f, true
		}
	}
	return Flow{}, false
}

// With returns those of some flows that parameter i is in, be it on some paths.
func With(flows []Flow, i int) (with []Flow) {
	for _, f := range flows {
		if (f.From | f.May).Has(i) {
			with = append(with, f)
		}
	}
	return with
}

// AddReturn notes that result r is made of f's parameters.
func (s *Summary) AddReturn(f Flow) { s.Returns = add(s.Returns, f) }

// AddInto notes that f's parameters are stored in parameter f.To.
func (s *Summary) AddInto(f Flow) { s.Into = add(s.Into, f) }

func add(flows []Flow, f Flow) []Flow {
	i, found := slices.BinarySearchFunc(flows, f, func(a, b Flow) int { return a.To - b.To })
	if !found {
		return slices.Insert(flows, i, f)
	}
	flows[i].From |= f.From
	flows[i].May |= f.May
	flows[i].Some |= f.Some
	flows[i].Holds |= f.Holds
	return flows
}

// AddLease notes that calling result f.To ends the results f.From.
func (s *Summary) AddLease(f Flow) { s.Leases = add(s.Leases, f) }

// AddDetach notes that a field of a parameter is overwritten.
func (s *Summary) AddDetach(param, field int) {
	i, found := slices.BinarySearchFunc(s.Detach, param, func(a Fields, p int) int { return a.Param - p })
	if !found {
		s.Detach = slices.Insert(s.Detach, i, Fields{Param: param})
	}
	d := &s.Detach[i]
	if j, found := slices.BinarySearch(d.Fields, field); !found {
		d.Fields = slices.Insert(d.Fields, j, field)
	}
}

// Detaches reports whether field of param is overwritten.
func (s *Summary) Detaches(param, field int) bool {
	for _, d := range s.Detach {
		if d.Param == param {
			return slices.Contains(d.Fields, field) || slices.Contains(d.Fields, All)
		}
	}
	return false
}

// String is for tests: the sets that are not empty, with the numbers of their
// members.
func (s *Summary) String() string {
	var parts []string
	for _, m := range s.masks() {
		if m.set != 0 {
			parts = append(parts, m.name+m.set.String())
		}
	}
	if s.Counts {
		parts = append(parts, "Counts")
	}
	for _, p := range s.Passes {
		parts = append(parts, fmt.Sprintf("Passes[%d]=%d:%d", p.Param, p.Func, p.Arg))
	}
	for _, f := range s.Returns {
		parts = append(parts, fmt.Sprintf("Returns[%d]=%s", f.To, f))
	}
	for _, f := range s.Into {
		parts = append(parts, fmt.Sprintf("Into[%d]=%s", f.To, f))
	}
	for _, f := range s.Leases {
		parts = append(parts, fmt.Sprintf("Leases[%d]=%s", f.To, f))
	}
	for _, d := range s.Detach {
		parts = append(parts, fmt.Sprintf("Detach[%d]=%v", d.Param, d.Fields))
	}
	for _, t := range s.Told {
		parts = append(parts, fmt.Sprintf("Told[%d]=%d:%t", t.Param, t.Result, t.Value))
	}
	for _, t := range s.GotIf {
		parts = append(parts, fmt.Sprintf("GotIf[%d]=%d:%t", t.Param, t.Result, t.Value))
	}
	for _, t := range s.GotAt {
		parts = append(parts, fmt.Sprintf("GotAt[%d]=%d:%d", t.Got, t.Result, t.Value))
	}
	for _, t := range s.GotIfNil {
		parts = append(parts, fmt.Sprintf("GotIfNil[%d]=%d", t.Param, t.Result))
	}
	for _, l := range s.Lingers {
		parts = append(parts, "Lingers["+l.String()+"]")
	}
	for _, v := range s.Views {
		parts = append(parts, "View["+v.String()+"]")
	}
	for _, e := range s.Fields {
		parts = append(parts, "Field"+e.String())
	}
	for _, e := range s.Emptied {
		parts = append(parts, fmt.Sprintf("Emptied%+v", e))
	}
	for _, c := range s.Callbacks {
		parts = append(parts, "Callback["+c.String()+"]")
	}
	for _, p := range s.From {
		parts = append(parts, fmt.Sprintf("From[%d]=%d:%s", p.Index, p.Param, p.Pool))
	}
	for _, p := range s.To {
		parts = append(parts, fmt.Sprintf("To[%d]=%d:%s", p.Index, p.Param, p.Pool))
	}
	return strings.Join(parts, " ")
}

// String returns the members: "{0,2}".
func (m Mask) String() string {
	var members []string
	for i := range m.Members() {
		members = append(members, fmt.Sprint(i))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// String returns the sets: "always{0} held{0}".
func (f Flow) String() string {
	s := ""
	if f.From != 0 {
		s += "always" + f.From.String()
	}
	if f.May != 0 {
		s += "may" + f.May.String()
	}
	if f.Some != 0 {
		s += "some" + f.Some.String()
	}
	if f.Holds != 0 {
		s += "held" + f.Holds.String()
	}
	return s
}

// Borrowed is the fact of a type whose values are lent to callbacks: its package
// gets them from a pool, calls code that it does not know with them, and puts
// them.
type Borrowed struct {
	Lender string // the function that lends
}

// AFact marks Borrowed as a fact.
func (*Borrowed) AFact() {}

// String is for tests.
func (b *Borrowed) String() string { return "Borrowed" }
