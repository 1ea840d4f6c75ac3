package flow

// Map returns the stream of f's results for the values of s. An error or a panic
// of f takes the place of its item.
func Map[I, O any](s Stream[I], f func(I) (O, error)) Stream[O] {
	s.check()
	need("Map", "f", f == nil)
	lent, own := lends[O](s.lent)
	return Stream[O]{node: newNode("map", s.node).of(f), lent: lent, own: own, run: func(r *run, down func(*batch[O]) error) error {
		o := newOut(r, down)
		values := func(in []I) error {
			return fill(o, in, func(in []I, to []O) (int, int, error) { return mapUntil(f, in, to, &o.look) })
		}
		return through(s, r, o, values, o.fail)
	}}
}

// fill makes values of in in the room of o. until does so for the first of them, writes
// at most as many, and returns how many it has read and written, and the failure of the
// next one.
func fill[I, O any](o *out[O], in []I, until func(in []I, to []O) (read, wrote int, err error)) error {
	for len(in) > 0 {
		n := min(len(in), o.size-len(o.v))
		to := o.room(n)[len(o.v):][:n]
		read, wrote, err := until(in[:n], to)
		o.v = o.v[:len(o.v)+wrote]
		in = in[read:]
		if err != nil {
			in = in[1:]
			if err := o.fail(err); err != nil {
				return err
			}
		}
		if len(o.v) == o.size {
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

// mapUntil writes f's results to out, as long as in, up to the first failure: then
// read is the index of the value that failed. It returns early when the pulse beats.
func mapUntil[I, O any](f func(I) (O, error), in []I, out []O, l *look) (read, wrote int, err error) {
	defer recovered(&err)
	out = out[:len(in)]
	for read = range in {
		wrote = read
		v, err := f(in[read])
		if err != nil {
			return read, read, err
		}
		out[read] = v
		if l.due() {
			return read + 1, read + 1, nil
		}
	}
	return len(in), len(in), nil
}

// Tap returns s, and calls f with each value that passes. If f panics, the
// [PanicError] takes the place of the value.
func (s Stream[T]) Tap(f func(T)) Stream[T] {
	need("Tap", "f", f == nil)
	t := Map(s, func(v T) (T, error) {
		f(v)
		return v, nil
	})
	t.lent, t.own = s.lent, s.own
	t.node = newNode("tap", s.node).of(f)
	return t
}
