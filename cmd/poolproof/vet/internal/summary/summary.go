// Package summary is what is known of a function without its code: what it does
// with what it is given, and what its results are.
//
// A summary is a fact: it is kept beside the compiled package and read where the
// function is called. Facts are written by encoding/gob, so they hold sorted
// slices and no maps, whose order would change from run to run.
package summary

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Summary describes the effects of a function. [Summary.String] prints the fields in this order.
type Summary struct {
	// Getter are the results that are pooled objects, for the caller to put.
	Getter Mask
	// MustPut are the parameters that are put on every path to a return, but for
	// those on which they are nil.
	MustPut Mask
	// Release are the parameters that a caller gives up: they are put, or are left
	// to the collector because of what they are themselves, say too large.
	Release Mask
	// MayPut are the parameters that are put on some path.
	MayPut Mask
	// RefPut are the parameters that are put when a count of references reaches
	// zero.
	RefPut Mask
	// Retains are the parameters that go where they outlive the call.
	Retains Mask
	// Lends are the parameters that are passed, whole, to code that the function
	// does not know: a function value or a method of an interface.
	Lends Mask
	// Keeps are the parameters that the function certainly stores where they stay
	// when it has returned. Retains excuses, Keeps accuses.
	Keeps Mask
	// Owns are the parameters that a directive says the function takes over.
	Owns Mask
	// Borrows are the parameters of which a directive says it keeps nothing.
	Borrows Mask
	// Starts are the parameters that are functions which run in a goroutine that
	// the function starts.
	Starts Mask
	// Holders are the results that are new structs with a pooled object in them,
	// which a function puts that gets the struct.
	Holders Mask
	// Fills are the parameters that the function stores others in, and does nothing
	// else with.
	Fills Mask
	// Works are the parameters that the function puts, and works on before: what a
	// caller has stored in one is still the caller's.
	Works Mask
	// MayEmpty are the parameters, lists, of which some elements are put on some path.
	MayEmpty Mask
	// Collects are the parameters, lists, of which some elements are stored where they
	// outlive the call.
	Collects Mask
	// ReadOnly are the results that others read at the same time, so that nobody may
	// write them.
	ReadOnly Mask
	// GotFailing are the results that are pooled objects, for the caller to put, on some return of
	// an error too.
	GotFailing Mask
	// Counts is set if the result tells whether a count of references has reached
	// zero.
	Counts bool
	// Passes are the parameters that are passed, whole, to functions which are parameters
	// too: the caller knows what becomes of them.
	Passes []Passed
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
	// GotAt are the results that are pooled objects only where another result is a constant.
	GotAt []Status
	// GotIfNil are the results that are pooled objects only where a parameter is nil, and
	// which a caller has nothing of otherwise.
	GotIfNil []GotIfNil
	// Lingers are the parameters that a goroutine may use when the function has
	// returned.
	Lingers []Lingering
	// Views are the results that may be what fields of parameters hold.
	Views []View
	// Fields are the effects on objects in fields of parameters.
	Fields []FieldEffect
	// Emptied are the lists whose elements are put.
	Emptied []Emptied
	// Callbacks are the parameters that are function values, and what becomes of what
	// they are called with.
	Callbacks []Callback
	// From are the pools that results come from, To those that parameters are put
	// into, where it is always the same one.
	From, To []PoolRef
}

// AFact marks Summary as a fact.
func (*Summary) AFact() {}

// Zero reports whether nothing is known, or nothing done.
func (s *Summary) Zero() bool { return s.Equal(new(Summary)) }

// Equal reports whether both say the same.
func (s *Summary) Equal(o *Summary) bool {
	x, y := reflect.ValueOf(s).Elem(), reflect.ValueOf(o).Elem()
	for i := range x.NumField() {
		a, b := x.Field(i), y.Field(i)
		empty := a.Kind() == reflect.Slice && a.Len() == 0 && b.Len() == 0
		if !empty && !reflect.DeepEqual(a.Interface(), b.Interface()) {
			return false
		}
	}
	return true
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
	return first(s.Told, func(t Told) bool { return t.Param == i })
}

// Return returns what result r is made of.
func (s *Summary) Return(r int) (Flow, bool) { return find(s.Returns, r) }

// Stored returns what is stored in parameter i.
func (s *Summary) Stored(i int) (Flow, bool) { return find(s.Into, i) }

func find(flows []Flow, to int) (Flow, bool) {
	return first(flows, func(f Flow) bool { return f.To == to })
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
	flows[i].Each |= f.Each
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
	d, _ := first(s.Detach, func(d Fields) bool { return d.Param == param })
	return slices.Contains(d.Fields, field) || slices.Contains(d.Fields, All)
}

// String is for tests: what is not empty, each set with the numbers of its members.
func (s *Summary) String() string {
	var parts []string
	x := reflect.ValueOf(s).Elem()
	for i := range x.NumField() {
		name, field := x.Type().Field(i).Name, x.Field(i)
		switch {
		case field.IsZero():
		case field.Kind() == reflect.Bool:
			parts = append(parts, name)
		case field.Kind() == reflect.Slice:
			for j := range field.Len() {
				parts = append(parts, fmt.Sprintf("%s%+v", name, field.Index(j)))
			}
		default:
			parts = append(parts, fmt.Sprint(name, field))
		}
	}
	return strings.Join(parts, " ")
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
