package flow

import "unsafe"

// FlatMap returns the stream of all values that f makes of the values of s. It is
// the form that allocates nothing: f appends to dst, which is empty and has room,
// and returns the result, as append does. It must keep neither dst nor the result.
//
// A result may be of any length. It may be another slice than dst; then it must not
// be changed until the stream has passed on. An error or a panic of f takes the
// place of its item, and what f appended before is left out.
func FlatMap[I, O any](s Stream[I], f func(dst []O, in I) ([]O, error)) Stream[O] {
	s.check()
	need("FlatMap", "f", f == nil)
	return flatten("flat map", s, f, nil, func(l *look, in []I, to []O, n, limit int) (int, int, []O, error) {
		return appendUntil(l, f, in, to, n, limit)
	})
}

// Handle is [FlatMap] with a function that is called for item errors too: with in
// and a nil err for a value, with the zero I and err for an item error, which then
// goes no further unless f returns it.
func Handle[I, O any](s Stream[I], f func(dst []O, in I, err error) ([]O, error)) Stream[O] {
	s.check()
	need("Handle", "f", f == nil)
	value := func(dst []O, in I) ([]O, error) { return f(dst, in, nil) }
	failed := func(dst []O, err error) ([]O, error) {
		var none I
		return f(dst, none, err)
	}
	return flatten("handle", s, f, failed, func(l *look, in []I, to []O, n, limit int) (int, int, []O, error) {
		return appendUntil(l, value, in, to, n, limit)
	})
}

// FlatMapSlice is [FlatMap] with a function that returns a slice of its own, which
// must not be changed until the stream has passed on.
func FlatMapSlice[I, O any](s Stream[I], f func(I) ([]O, error)) Stream[O] {
	s.check()
	need("FlatMapSlice", "f", f == nil)
	return flatten("flat map", s, f, nil, func(l *look, in []I, to []O, n, limit int) (int, int, []O, error) {
		return copyUntil(l, f, in, to, n, limit)
	})
}

// maxResult is the length of a result, in batches, up to which a stage grows its
// own batch for it. Longer ones are sent from the memory that f got for them.
const maxResult = 16

// until makes values of in and writes them to to[n:], until n has reached limit, a
// result does not fit, or the user's function fails. read is the number of values
// of in that are done; long, if not empty, the result for the next one; err its
// failure. It returns early when the pulse beats.
type until[I, O any] func(l *look, in []I, to []O, n, limit int) (read, wrote int, long []O, err error)

// flatten is the stage of FlatMap and its kin. failed is nil if item errors pass
// on.
func flatten[I, O any](name string, s Stream[I], f any, failed func([]O, error) ([]O, error), some until[I, O]) Stream[O] {
	lent, own := lends[O](s.lent)
	return Stream[O]{node: newNode(name, s.node).of(f), lent: lent, own: own, run: func(r *run, down func(*batch[O]) error) error {
		x := &flattening[I, O]{out: newOut(r, down), some: some, tail: r.size}
		fail := x.out.fail
		if failed != nil {
			// An item error is an item for failed.
			once := []error{nil}
			fail = func(err error) error {
				once[0] = err
				return flattenAll(x.out, &x.tail, once, func(l *look, in []error, to []O, n, limit int) (int, int, []O, error) {
					return appendUntil(l, failed, in, to, n, limit)
				})
			}
		}
		values := func(in []I) error { return flattenAll(x.out, &x.tail, in, x.some) }
		return through(s, r, x.out, values, fail)
	}}
}

// flattening is one run of flatten.
type flattening[I, O any] struct {
	out  *out[O]
	some until[I, O]
	// tail is the room that f finds at least. It grows with the results, so that
	// appending one rarely leaves the batch.
	tail int
}

// flattenAll makes values of all of in.
func flattenAll[I, O any](o *out[O], tail *int, in []I, some until[I, O]) error {
	for len(in) > 0 {
		to := o.room(o.size - len(o.v) + *tail)
		read, n, long, err := some(&o.look, in, to, len(o.v), o.size)
		o.v = o.v[:n]
		in = in[read:]
		switch {
		case err != nil:
			if o.pointers {
				clear(to[n:]) // f may have appended before it failed
			}
			in = in[1:]
			if err := o.fail(err); err != nil {
				return err
			}
		case len(long) > 0:
			in = in[1:]
			for *tail < len(long) && *tail < maxResult*o.size {
				*tail *= 2
			}
			if err := o.sendLong(long); err != nil {
				return err
			}
		}
		if len(o.v) >= o.size {
			if err := o.send(); err != nil {
				return err
			}
		}
		if err := o.attend(); err != nil {
			return err
		}
	}
	return nil
}

// sendLong sends values that are not in the batch, after those that are. Few are
// copied, many are lent from where they are.
func (o *out[T]) sendLong(values []T) error {
	if len(values) <= cap(o.v)-len(o.v) {
		o.v = append(o.v, values...)
		return nil
	}
	if err := o.send(); err != nil {
		return err
	}
	var lent batch[T]
	for len(values) > 0 {
		n := min(len(values), o.size)
		lent.v = values[:n:n]
		if err := o.down(&lent); err != nil {
			o.broken = true
			return err
		}
		if err := o.attend(); err != nil {
			return err
		}
		values = values[n:]
	}
	return nil
}

// appendUntil is until for a function that appends. What f gets is the empty tail
// of the batch: it cannot reach what was made before.
func appendUntil[I, O any](l *look, f func([]O, I) ([]O, error), in []I, to []O, n, limit int) (read, wrote int, long []O, err error) {
	defer recovered(&err)
	wrote = n
	for read = range in {
		tail := to[wrote:wrote]
		got, err := f(tail, in[read])
		if err != nil {
			return read, wrote, nil, err
		}
		if len(got) > 0 {
			if unsafe.SliceData(got) != unsafe.SliceData(tail) || len(got) > cap(tail) {
				return read, wrote, got, nil
			}
			wrote += len(got)
		}
		if wrote >= limit || l.due() {
			return read + 1, wrote, nil, nil
		}
	}
	return len(in), wrote, nil, nil
}

// copyUntil is until for a function that returns a slice.
func copyUntil[I, O any](l *look, f func(I) ([]O, error), in []I, to []O, n, limit int) (read, wrote int, long []O, err error) {
	defer recovered(&err)
	wrote = n
	for read = range in {
		got, err := f(in[read])
		if err != nil {
			return read, wrote, nil, err
		}
		if len(got) > len(to)-wrote {
			return read, wrote, got, nil
		}
		wrote += copy(to[wrote:], got)
		if wrote >= limit || l.due() {
			return read + 1, wrote, nil, nil
		}
	}
	return len(in), wrote, nil, nil
}
