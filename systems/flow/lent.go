package flow

import (
	"bufio"
	"fmt"
	"io"
	"reflect"
	"time"
)

// FromReaderLent is [FromReader] without copies: its tokens are slices of a buffer that
// is read into again. Each is valid until the function that got it returns, and must not
// be changed.
//
// The stream knows that its values are lent, through [Map] and [FlatMap] too, unless
// their results can hold no reference to lent memory: numbers, strings, and structs of
// these. Stages and sinks that keep values ([Stream.Async], [MapOrdered], [Batch],
// [Stream.Collect] and others) copy lent values of type []byte. They cannot copy other
// types, and panic when the pipeline is made; [Stream.Own] says how to copy. [Stream.Each],
// [Stream.All] and [Reduce] hand over values as they are: lent.
//
// A build with -tags poolproofdebug fills what was lent with 0xDD when its time is over.
func FromReaderLent(r io.Reader, split bufio.SplitFunc) Stream[[]byte] {
	return fromReader("FromReaderLent", r, split, true)
}

// Own returns s with each value replaced by what clone returns, which must hold no
// reference to memory that s only lends: see [FromReaderLent]. Where the functions of
// earlier stages have copied already, clone may return its argument. If clone panics, the
// [PanicError] takes the place of the value.
func (s Stream[T]) Own(clone func(T) T) Stream[T] {
	s.check()
	need("Own", "clone", clone == nil)
	o := Map(s, func(v T) (T, error) { return clone(v), nil })
	o.lent, o.own = false, nil
	o.node = newNode("own", s.node).of(clone)
	return o
}

// mayCross panics if s lends values that stage, which keeps them, cannot copy.
func (s Stream[T]) mayCross(stage string) {
	if s.lent && s.own == nil {
		panic(fmt.Sprintf("flow: %s keeps values of type %v, which may refer to memory that FromReaderLent only lends; "+
			"copy them before it by Own, or read with FromReader", stage, reflect.TypeFor[T]()))
	}
}

// lends says what is known of values of type O that a user's function has made of lent
// ones: whether they may be lent, and how to copy them.
func lends[O any](from bool) (lent bool, own func([]O)) {
	if !from || !refers(reflect.TypeFor[O]()) {
		return false, nil
	}
	own, _ = any(ownBytes).(func([]O))
	return true, own
}

// refers reports whether a value of type t may refer to memory that can change. Strings
// cannot, and a time's location is not made of text.
func refers(t reflect.Type) bool {
	switch {
	case t.Kind() == reflect.String || t == reflect.TypeFor[time.Time]():
		return false
	case t.Kind() == reflect.Array:
		return t.Len() > 0 && refers(t.Elem())
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			if refers(t.Field(i).Type) {
				return true
			}
		}
		return false
	}
	return points(t)
}
