package flow

// Take returns the first n values of s and the item errors before the last of
// them. What comes before is stopped as soon as they are there. It panics if n is
// negative.
func (s Stream[T]) Take(n int) Stream[T] {
	s.check()
	atLeast("Take", "n", n, 0)
	return Stream[T]{node: newNode("take", s.node).with("%d", n), lent: s.lent, own: s.own, run: func(r *run, down func(*batch[T]) error) error {
		left, enough := n, new(stop)
		if left == 0 {
			return nil
		}
		return stopped(s.start(r, func(b *batch[T]) error {
			if len(b.v) < left {
				left -= len(b.v)
				return down(b)
			}
			first := b.until(left)
			left = 0
			if err := down(&first); err != nil {
				return err
			}
			return enough
		}), enough)
	}}
}

// until returns the part of b up to its nth value, n > 0.
func (b *batch[T]) until(n int) batch[T] {
	errs := b.errs
	for i, e := range errs {
		if e.pos >= n {
			errs = errs[:i]
			break
		}
	}
	return batch[T]{v: b.v[:n:n], errs: errs}
}

// Skip returns s without its first n values. Item errors among them remain. It
// panics if n is negative.
func (s Stream[T]) Skip(n int) Stream[T] {
	s.check()
	atLeast("Skip", "n", n, 0)
	return Stream[T]{node: newNode("skip", s.node).with("%d", n), lent: s.lent, own: s.own, run: func(r *run, down func(*batch[T]) error) error {
		left := n
		var rest batch[T]
		return s.start(r, func(b *batch[T]) error {
			if left == 0 {
				return down(b)
			}
			skipped := min(left, len(b.v))
			left -= skipped
			rest.v = b.v[skipped:]
			rest.errs = rest.errs[:0]
			for _, e := range b.errs {
				rest.errs = append(rest.errs, itemError{max(e.pos-skipped, 0), e.err})
			}
			if len(rest.v) == 0 && len(rest.errs) == 0 {
				return nil
			}
			err := down(&rest)
			clear(rest.errs)
			rest.v = nil
			return err
		})
	}}
}

// TakeWhile returns the values of s before the first one for which keep returns
// false, and the item errors among them. If keep panics, the [PanicError] takes the
// place of the value and the stream goes on.
func (s Stream[T]) TakeWhile(keep func(T) bool) Stream[T] {
	s.check()
	need("TakeWhile", "keep", keep == nil)
	return Stream[T]{node: newNode("take while", s.node).of(keep), lent: s.lent, own: s.own, run: func(r *run, down func(*batch[T]) error) error {
		o, enough := newOut(r, down), new(stop)
		values := func(in []T) error {
			for len(in) > 0 {
				n, end, err := leading(keep, in, &o.look)
				for _, v := range in[:n] {
					if err := o.add(v); err != nil {
						return err
					}
				}
				in = in[n:]
				switch {
				case err != nil:
					in = in[1:]
					if err := o.fail(err); err != nil {
						return err
					}
				case end:
					return enough
				}
				if err := o.attend(); err != nil {
					return err
				}
			}
			return nil
		}
		return stopped(s.start(r, func(b *batch[T]) error {
			if err := o.begin(b.items()); err != nil {
				return err
			}
			end := b.walk(values, o.fail)
			if end != nil && end != error(enough) {
				return end
			}
			if err := o.send(); err != nil {
				return err
			}
			return end
		}), enough)
	}}
}

// leading returns how many values of in lead, and whether the next one is the end;
// err is its panic. It returns early when the pulse beats.
func leading[T any](keep func(T) bool, in []T, l *look) (n int, end bool, err error) {
	defer recovered(&err)
	for n = range in {
		if !keep(in[n]) {
			return n, true, nil
		}
		if l.due() {
			return n + 1, false, nil
		}
	}
	return len(in), false, nil
}
