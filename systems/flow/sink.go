package flow

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
)

// Each runs s and calls f with each value, and with the zero value and the error
// for each item error, in order. An error of f ends the stream. Each returns that
// error, or another fatal one, or nil at the end of the stream.
func (s Stream[T]) Each(ctx context.Context, f func(T, error) error) error {
	need("Each", "f", f == nil)
	values := func(l *look, in []T) error {
		for i := range in {
			if l.due() {
				if err := l.up(); err != nil {
					return err
				}
			}
			if err := f(in[i], nil); err != nil {
				return err
			}
		}
		return nil
	}
	failed := func(err error) error {
		var none T
		return f(none, err)
	}
	return s.sink(ctx, values, failed)
}

// All returns a sequence that runs s each time that it is ranged over: pairs of a
// value and nil, or of the zero value and an item error. A break ends the stream. A
// fatal error is the last pair.
func (s Stream[T]) All(ctx context.Context) iter.Seq2[T, error] {
	s.check()
	return func(yield func(T, error) bool) {
		enough := new(stop)
		err := s.Each(ctx, func(v T, err error) error {
			if !yield(v, err) {
				return enough
			}
			return nil
		})
		if err != nil && err != error(enough) {
			var none T
			yield(none, err)
		}
	}
}

// until runs s and calls f with the values of each batch. It ends with the first
// error, item errors included.
func (s Stream[T]) until(ctx context.Context, f func(*look, []T) error) error {
	return s.sink(ctx, f, func(err error) error { return err })
}

// Collect returns the values of s up to the first error, and that error: an item
// error ends the stream. Use [Stream.Recover] before it, or [Stream.Each], to go on.
func (s Stream[T]) Collect(ctx context.Context) ([]T, error) {
	s.check()
	s.mayCross("Collect")
	var all []T
	err := s.until(ctx, func(l *look, in []T) error {
		from := len(all)
		all = append(all, in...)
		if s.own != nil {
			s.own(all[from:])
		}
		return nil
	})
	return all, err
}

// First returns the first value of s, and ends the stream there. ok is false if
// there is none: then err is the first error, nil if the stream is empty.
func (s Stream[T]) First(ctx context.Context) (first T, ok bool, err error) {
	one, err := s.Take(1).Collect(ctx)
	if len(one) == 0 {
		return first, false, err
	}
	return one[0], true, nil
}

// Reduce runs s and returns f's last result: f is called with init and the first
// value, then with its last result and the next value. It returns at the first
// error, an item error or one of f, with the result until then.
func Reduce[T, A any](ctx context.Context, s Stream[T], init A, f func(A, T) (A, error)) (A, error) {
	need("Reduce", "f", f == nil)
	acc := init
	err := s.until(ctx, func(l *look, in []T) error {
		for i := range in {
			if l.due() {
				if err := l.up(); err != nil {
					return err
				}
			}
			next, err := f(acc, in[i])
			if err != nil {
				return err
			}
			acc = next
		}
		return nil
	})
	return acc, err
}

// SendTo runs s and sends its values to ch, which it does not close. It returns at
// the first error, an item error included, or when ctx ends.
func (s Stream[T]) SendTo(ctx context.Context, ch chan<- T) error {
	need("SendTo", "ch", ch == nil)
	s.check()
	s.mayCross("SendTo")
	return s.until(ctx, func(l *look, in []T) error {
		var kept []T
		if s.own != nil {
			kept = append(kept, in...)
			s.own(kept)
			in = kept
		}
		for i := range in {
			select {
			case ch <- in[i]:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		return nil
	})
}

// WriteTo runs s and writes its values to w, in the form that format appends to
// dst: one Write for the values of a batch, or for each 64 KiB of them. It returns the number of bytes that w has taken, and the first error: an item
// error, one of format, or one of w. What was formatted before an item error is
// written.
func (s Stream[T]) WriteTo(ctx context.Context, w io.Writer, format func(dst []byte, v T) ([]byte, error)) (written int64, err error) {
	need("WriteTo", "w", w == nil)
	need("WriteTo", "format", format == nil)
	b := chunks.Get(chunkSize)
	defer b.Release()
	text := b.Bytes()[:0] // other memory once format has outgrown it
	flush := func() error {
		if len(text) == 0 {
			return nil
		}
		n, err := w.Write(text)
		if n < 0 || n > len(text) {
			return fmt.Errorf("flow: WriteTo: the writer %T returned %d for %d bytes", w, n, len(text))
		}
		written += int64(n)
		if err == nil && n < len(text) {
			err = io.ErrShortWrite
		}
		text = text[:0]
		return err
	}
	err = s.until(ctx, func(l *look, in []T) error {
		for i := range in {
			if l.due() {
				if err := l.up(); err != nil {
					return cmp.Or(flush(), err)
				}
			}
			longer, err := format(text, in[i])
			if err != nil {
				flush()
				return err
			}
			text = longer
			if len(text) >= chunkSize {
				if err := flush(); err != nil {
					return err
				}
			}
		}
		return flush()
	})
	return written, err
}
