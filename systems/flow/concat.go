package flow

import (
	"iter"
	"slices"
)

// Concat returns the items of the streams, one stream after the other, on one goroutine.
// A fatal error of one ends all.
func Concat[T any](streams ...Stream[T]) Stream[T] {
	ups := make([]*node, len(streams))
	lent := false
	var own func([]T)
	for i, s := range streams {
		s.check()
		ups[i] = s.node
		if s.lent && (!lent || own != nil) {
			lent, own = true, s.own
		}
	}
	n := newNode("concat", ups...)
	n.apart = len(ups) > 0
	streams = slices.Clone(streams)
	return Stream[T]{node: n, lent: lent, own: own, run: func(r *run, down func(*batch[T]) error) error {
		for _, s := range streams {
			if err := r.ended(); err != nil {
				return err
			}
			if err := s.start(r, down); err != nil {
				return err
			}
		}
		return nil
	}}
}

// FlatMapStream returns the items of the streams that f makes of the values of s, one
// stream after the other: of files their lines, of pages their entries. An error or a panic
// of f takes the place of its item. So does a fatal error of one of the streams, after what
// that stream had before: the others go on. The stream of a value runs on the goroutine of
// this stage, if it begins none itself, and has ended when the next one begins.
//
// f may open what the stream reads; a [FromFunc] that opens, reads and closes does so in
// one place.
func FlatMapStream[I, O any](s Stream[I], f func(I) (Stream[O], error)) Stream[O] {
	need("FlatMapStream", "f", f == nil)
	return flatStream("flat map", s, f, f)
}

// FlatMapSeq is [FlatMapStream] with a function that returns a sequence: see [FromSeq2]
// for how that runs.
func FlatMapSeq[I, O any](s Stream[I], f func(I) iter.Seq2[O, error]) Stream[O] {
	need("FlatMapSeq", "f", f == nil)
	return flatStream("flat map", s, f, func(v I) (Stream[O], error) { return FromSeq2(f(v)), nil })
}

func flatStream[I, O any](kind string, s Stream[I], named any, f func(I) (Stream[O], error)) Stream[O] {
	s.check()
	// The streams that f makes may lend, and are not known before they are made.
	lent, own := lends[O](s.lent)
	return Stream[O]{node: newNode(kind, s.node).of(named), lent: lent, own: own, run: func(r *run, down func(*batch[O]) error) error {
		o := newOut(r, down)
		values := func(in []I) error {
			for i := range in {
				if err := one(o, in[i], f); err != nil {
					return err
				}
			}
			return nil
		}
		return through(s, r, o, values, o.fail)
	}}
}

// one sends the stream that f makes of v.
func one[I, O any](o *out[O], v I, f func(I) (Stream[O], error)) error {
	inner, err := made(v, f)
	if err != nil {
		if err := o.fail(err); err != nil {
			return err
		}
		return o.attend()
	}
	if err := o.send(); err != nil { // the inner stream's come after these
		return err
	}
	r := *o.r
	r.watch = nil // a stage for each value would be counted
	err = inner.run(&r, func(b *batch[O]) error {
		err := o.down(b)
		o.broken = o.broken || err != nil
		return err
	})
	switch {
	case err == nil:
		return o.attend()
	case o.broken:
		return err
	case o.r.ended() != nil:
		return o.r.ended()
	}
	return o.fail(err)
}

// made calls f, and checks what it returns.
func made[I, O any](v I, f func(I) (Stream[O], error)) (s Stream[O], err error) {
	defer recovered(&err)
	if s, err = f(v); err != nil {
		return s, err
	}
	s.check()
	s.mayCross("FlatMapStream")
	return s.owned(), nil
}

// owned returns s with copies of values that it lends.
func (s Stream[T]) owned() Stream[T] {
	if s.own == nil {
		return s
	}
	return Stream[T]{node: s.node, run: func(r *run, down func(*batch[T]) error) error {
		var b batch[T]
		return s.start(r, func(from *batch[T]) error {
			still := *from
			still.moves = false
			still.moveTo(&b, s.own)
			return down(&b)
		})
	}}
}
