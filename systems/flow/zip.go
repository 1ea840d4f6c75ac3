package flow

// Pair is one value of each of two streams.
type Pair[A, B any] struct {
	A A
	B B
}

// Zip returns pairs of the first values of a and b, of the second ones, and so on
// until one of them ends, which stops the other. Item errors of either come before
// the pair that they delay; they are no part of a pair. The stages of b run on a
// goroutine of their own.
func Zip[A, B any](a Stream[A], b Stream[B]) Stream[Pair[A, B]] {
	a.check()
	b.check()
	a.mayCross("Zip")
	b.mayCross("Zip")
	n := newNode("zip", a.node, b.node)
	return Stream[Pair[A, B]]{node: n, run: func(r *run, down func(*batch[Pair[A, B]]) error) error {
		between := newBoundary(r, 2, 1, b.own)
		n.queue(r, func() (int, int) { return len(between.full), cap(between.full) })
		between.produce(b)
		defer between.close()
		z := &zipping[A, B]{o: newOut(r, down), b: between, own: a.own}
		var kept batch[A]
		err := stopped(a.start(r, func(in *batch[A]) error {
			if a.own != nil { // the pairs keep them
				still := *in
				still.moves = false
				still.moveTo(&kept, a.own)
				in = &kept
			}
			end := in.walk(z.values, z.o.fail)
			if end != nil && end != error(&z.enough) {
				return end
			}
			if err := z.o.send(); err != nil {
				return err
			}
			return end
		}), &z.enough)
		if err == nil {
			err = z.err
		}
		return err
	}}
}

// zipping is one run of Zip.
type zipping[A, B any] struct {
	o   *out[Pair[A, B]]
	b   *boundary[B]
	own func([]A)

	current *batch[B] // nil before the first
	v, errs int       // how many of its values and errors were used
	enough  stop      // b has ended
	err     error     // of b
}

// values makes pairs of the values of in and the next ones of b.
func (z *zipping[A, B]) values(in []A) error {
	for i := range in {
		if err := z.advance(); err != nil {
			return err
		}
		if err := z.o.add(Pair[A, B]{in[i], z.current.v[z.v]}); err != nil {
			return err
		}
		z.v++
	}
	return nil
}

// advance finds the next value of b, and passes on the errors before it.
func (z *zipping[A, B]) advance() error {
	for {
		if c := z.current; c != nil {
			for z.errs < len(c.errs) && c.errs[z.errs].pos <= z.v {
				err := c.errs[z.errs].err
				z.errs++
				if err := z.o.fail(err); err != nil {
					return err
				}
			}
			if z.v < len(c.v) {
				return nil
			}
			z.b.recycle(c)
			z.current = nil
		}
		var next *batch[B]
		open := true
		select {
		case next, open = <-z.b.full:
		default:
			if err := z.o.send(); err != nil { // b may take long
				return err
			}
			next, open = <-z.b.full
		}
		if !open {
			z.err = z.b.fatal()
			return &z.enough
		}
		z.current, z.v, z.errs = next, 0, 0
	}
}
