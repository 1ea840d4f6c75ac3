package flow

import "context"

// Split returns the values of s for which away is false, and gives the others to side,
// which runs on a goroutine of its own, up to depth batches behind: see [Tee] for how the
// two end. Item errors stay in the stream that is returned, in their places, and so does a
// panic of away, as the error of its value. It panics if depth is negative, or more than
// 1<<20.
//
// Of three ways or more the last ones are a Split of the side's stream.
func Split[T any](s Stream[T], depth int, away func(T) bool, side func(ctx context.Context, values Stream[T]) error) Stream[T] {
	s.check()
	within("Split", "depth", depth, 0)
	need("Split", "away", away == nil)
	need("Split", "side", side == nil)
	s.mayCross("Split")
	n := newNode("split", s.node).of(away)
	return Stream[T]{node: n, lent: s.lent, own: s.own, run: func(r *run, down func(*batch[T]) error) error {
		return runTee(r, n, depth, s.own, side, func(t *tee[T]) error {
			x := &splitting[T]{t: t, o: newOut(r, down), away: away}
			return through(s, r, x.o, func(in []T) error {
				if err := x.values(in); err != nil {
					return err
				}
				return x.send()
			}, x.o.fail)
		})
	}}
}

// splitting is one run of Split.
type splitting[T any] struct {
	t    *tee[T]
	o    *out[T] // what stays
	gone *batch[T]
	away func(T) bool
}

func (x *splitting[T]) values(in []T) error {
	for i := range in {
		var away bool
		err := protect(func() error { away = x.away(in[i]); return nil })
		switch {
		case err != nil:
			err = x.o.fail(err)
		case !away:
			err = x.o.add(in[i])
		default:
			if x.gone == nil {
				x.gone = x.t.b.take()
			}
			x.gone.v = append(x.gone.v, in[i])
		}
		if err != nil {
			return err
		}
		if x.o.due() {
			if err := x.send(); err != nil {
				return err
			}
		}
		if err := x.o.attend(); err != nil {
			return err
		}
	}
	return nil
}

// send gives what has gathered to the side.
func (x *splitting[T]) send() error {
	b := x.gone
	if x.gone = nil; b == nil {
		return nil
	}
	if x.t.b.own != nil {
		x.t.b.own(b.v)
	}
	return x.t.give(b)
}
