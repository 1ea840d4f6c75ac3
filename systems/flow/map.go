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
			for len(in) > 0 {
				n := min(len(in), o.size-len(o.v))
				to := o.room(n)[len(o.v):][:n]
				done, err := mapUntil(f, in[:n], to, &o.look)
				o.v = o.v[:len(o.v)+done]
				in = in[done:]
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
		return through(s, r, o, values, o.fail)
	}}
}

// mapUntil writes f's results to out, as long as in, up to the first failure: then
// done is the index of the value that failed. It returns early when the pulse beats.
func mapUntil[I, O any](f func(I) (O, error), in []I, out []O, l *look) (done int, err error) {
	defer recovered(&err)
	out = out[:len(in)]
	for done = range in {
		v, err := f(in[done])
		if err != nil {
			return done, err
		}
		out[done] = v
		if l.due() {
			return done + 1, nil
		}
	}
	return len(in), nil
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
