package flow

// Filter returns the stream of the values of s for which keep returns true. If
// keep panics, the [PanicError] takes the place of the value.
func (s Stream[T]) Filter(keep func(T) bool) Stream[T] {
	s.check()
	need("Filter", "keep", keep == nil)
	return Stream[T]{node: newNode("filter", s.node).of(keep), lent: s.lent, own: s.own, run: func(r *run, down func(*batch[T]) error) error {
		o := newOut(r, down)
		values := func(in []T) error {
			return fill(o, in, func(in, to []T) (int, int, error) { return filterUntil(keep, in, to, &o.look) })
		}
		return through(s, r, o, values, o.fail)
	}}
}

// filterUntil copies what keep keeps to out, as long as in, up to the first panic:
// then read is the index of the value that keep was called with. It returns early when
// the pulse beats.
func filterUntil[T any](keep func(T) bool, in, out []T, l *look) (read, kept int, err error) {
	defer recovered(&err)
	out = out[:len(in)]
	for read = range in {
		if keep(in[read]) {
			out[kept] = in[read]
			kept++
		}
		if l.due() {
			return read + 1, kept, nil
		}
	}
	return len(in), kept, nil
}

// Recover returns s with what f returns in place of each item error: a value, an
// error (the same, or one that says more), or with [Drop] nothing. Fatal errors end
// the stream as ever.
func (s Stream[T]) Recover(f func(error) (T, error)) Stream[T] {
	s.check()
	need("Recover", "f", f == nil)
	try := func(failed error) (v T, err error) {
		defer recovered(&err)
		return f(failed)
	}
	return Stream[T]{node: newNode("recover", s.node).of(f), lent: s.lent, own: s.own, run: func(r *run, down func(*batch[T]) error) error {
		o := newOut(r, down)
		values := func(in []T) error {
			for _, v := range in {
				if err := o.add(v); err != nil {
					return err
				}
			}
			return nil
		}
		failed := func(failed error) error {
			v, err := try(failed)
			if err != nil {
				err = o.fail(err)
			} else {
				err = o.add(v)
			}
			if err != nil {
				return err
			}
			return o.attend()
		}
		return s.start(r, func(b *batch[T]) error {
			if err := o.begin(b.items()); err != nil {
				return err
			}
			if len(b.errs) == 0 {
				return down(b)
			}
			if err := b.walk(values, failed); err != nil {
				return err
			}
			return o.send()
		})
	}}
}
