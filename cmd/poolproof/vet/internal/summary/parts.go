package summary

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// first returns the first element of a list that is of a kind.
func first[T any](list []T, is func(T) bool) (found T, ok bool) {
	if i := slices.IndexFunc(list, is); i >= 0 {
		return list[i], true
	}
	return found, false
}

// Told says that parameter Param was put if Result is true (an error: nil), where
// Value is set; else if it is false (an error: not nil).
type Told struct {
	Param, Result int
	Value         bool
}

// GotIfNil says that result Result is from a pool only where parameter Param is nil.
type GotIfNil struct {
	Param, Result int
}

// Status says that result Got is a pooled object only where result Result is Value: 1 is true, and 0 false.
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
	Each  Mask // of these: each element of To, or what To calls its parameter with, is their memory
}

// String is for tests: "[1]=always{0}held{0}".
func (f Flow) String() string {
	text := fmt.Sprintf("[%d]=", f.To)
	for _, m := range []struct {
		name string
		set  Mask
	}{{"always", f.From}, {"may", f.May}, {"some", f.Some}, {"held", f.Holds}, {"each", f.Each}} {
		if m.set != 0 {
			text += m.name + m.set.String()
		}
	}
	return text
}

// Fields are fields of a parameter: of the struct that it points to.
type Fields struct {
	Param  int
	Fields []int // sorted; All is every field
}

// All stands for every field, and for the slice that a pointer to a slice points
// to.
const All = -1

// Callback says what becomes of an argument with which a parameter, a function value, is
// called.
type Callback struct {
	Param int
	Arg   int
	// Lent is set if it is the callback's only until that returns.
	Lent bool
	// ReadOnly is set if others read it at the same time.
	ReadOnly bool
	// Of are the other parameters that it certainly is memory of.
	Of Mask
}

// AddCallback adds what is known of an argument of a callback.
func (s *Summary) AddCallback(c Callback) {
	i, found := slices.BinarySearchFunc(s.Callbacks, c, func(a, b Callback) int { return cmp.Or(a.Param-b.Param, a.Arg-b.Arg) })
	if !found {
		s.Callbacks = slices.Insert(s.Callbacks, i, c)
		return
	}
	s.Callbacks[i].Lent = s.Callbacks[i].Lent || c.Lent
	s.Callbacks[i].ReadOnly = s.Callbacks[i].ReadOnly || c.ReadOnly
	s.Callbacks[i].Of |= c.Of
}

// Emptied says that a function puts each element of a list, a slice or a map, that a
// parameter is or refers to.
type Emptied struct {
	Param int
	Path  string // from the parameter to the elements, as of a FieldEffect
	// Clears is set if the list has no elements any more, or others.
	Clears bool
}

// SetEmptied replaces what is known of lists.
func (s *Summary) SetEmptied(list []Emptied) {
	slices.SortFunc(list, func(a, b Emptied) int {
		return cmp.Or(a.Param-b.Param, strings.Compare(a.Path, b.Path))
	})
	s.Emptied = slices.Compact(list)
}

// FieldEffect says what a function does with the object that a field of a
// parameter holds when it is called: the state of a struct that owns a pooled
// object goes from owned to put to nil over several methods.
type FieldEffect struct {
	Param int
	Path  string // from what the parameter points to: ".2" field 2, ".2*.0" field 0 of what field 2 points to
	// Puts is set if the object is put on every path to a return, Uses if it is
	// used on every path before it is put; paths on which the field is nil are
	// left out.
	Puts, Uses bool
	// MayPut is set if it is put on some path.
	MayPut bool
	// May is set if it is used on some path.
	May bool
	// Sets is set if the field may hold something else when the function returns.
	Sets bool
	// Taken is set if a directive says that the function takes the object over: always,
	// or, if Told is not 0, where result Told-1 is true (an error: nil).
	Taken bool
	Told  int
}

// SetFields replaces what is known of fields.
func (s *Summary) SetFields(list []FieldEffect) {
	slices.SortFunc(list, func(a, b FieldEffect) int {
		return cmp.Or(a.Param-b.Param, strings.Compare(a.Path, b.Path))
	})
	s.Fields = list
}

// Field returns what is known of one field.
func (s *Summary) Field(param int, path string) (FieldEffect, bool) {
	return first(s.Fields, func(e FieldEffect) bool { return e.Param == param && e.Path == path })
}

// Lingering says that a goroutine, which a function starts on some path and does
// not wait for there, uses what a parameter refers to: when the function has
// returned it may still do so.
type Lingering struct {
	Param int
	// Result tells the caller of it: wherever the goroutine was started, this result
	// is Value (true; or nil, of an error). It is -1 if none does.
	Result int
	Value  bool
	// Signals is set if the goroutine says that it has ended, in a way by which
	// others than the function may wait for it.
	Signals bool
	// Sent is set if it is no goroutine that the function starts but one that
	// receives it from a channel.
	Sent bool
}

// AddLingering notes that a goroutine still uses a parameter.
func (s *Summary) AddLingering(l Lingering) {
	for i := range s.Lingers {
		old := &s.Lingers[i]
		if old.Param != l.Param {
			continue
		}
		if old.Result != l.Result || old.Value != l.Value {
			old.Result, old.Value = -1, false
		}
		old.Signals = old.Signals || l.Signals
		old.Sent = old.Sent && l.Sent
		return
	}
	s.Lingers = append(s.Lingers, l)
}

// Lingering returns what is known of a parameter that a goroutine still uses.
func (s *Summary) Lingering(param int) (Lingering, bool) {
	return first(s.Lingers, func(l Lingering) bool { return l.Param == param })
}

// PoolRef says which pool a result comes from, or a parameter is put into.
type PoolRef struct {
	Index int // of the result or the parameter
	// Param is the parameter through which the pool is reached, -1 if it is a
	// package variable.
	Param int
	// Pool is the path from the parameter, or the name of the package variable with
	// a path.
	Pool string
}

// Pool returns the pool of one result or parameter.
func Pool(refs []PoolRef, index int) (PoolRef, bool) {
	return first(refs, func(r PoolRef) bool { return r.Index == index })
}

// View says that a result may be the object that a field of a parameter holds, or
// memory of it: it is the caller's until that is put.
type View struct {
	Result, Param int
	Path          string // as of a FieldEffect
}

// SetViews replaces what is known of results.
func (s *Summary) SetViews(list []View) {
	slices.SortFunc(list, func(a, b View) int {
		return cmp.Or(a.Result-b.Result, a.Param-b.Param, strings.Compare(a.Path, b.Path))
	})
	s.Views = slices.Compact(list)
}
