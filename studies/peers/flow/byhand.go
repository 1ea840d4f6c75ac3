package flowpeers

import (
	"context"
	"iter"

	"golang.org/x/sync/errgroup"
)

// runLoop is a plain loop: what all others cost beyond it is their price.
func runLoop(ctx context.Context) (o Outcome, err error) {
	var scratch []int
	for _, in := range inputs {
		v, err := double(in)
		if err != nil {
			o.failed()
			continue
		}
		scratch, err = appendFive(scratch[:0], v)
		if err != nil {
			o.failed()
			continue
		}
		for _, v := range scratch {
			if keep(v) {
				o.value(v)
			}
		}
	}
	return o, ctx.Err()
}

// item is the element of the channels of runErrgroup.
type item struct {
	v   int
	err error
}

func send(ctx context.Context, out chan<- item, i item) error {
	select {
	case out <- i:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// runErrgroup has a goroutine and a channel for each stage, as many write it: an
// errgroup, and a select for each send.
func runErrgroup(ctx context.Context) (o Outcome, err error) {
	g, ctx := errgroup.WithContext(ctx)
	source, doubled, flat, kept := make(chan item, 64), make(chan item, 64), make(chan item, 64), make(chan item, 64)
	g.Go(func() error {
		defer close(source)
		for _, v := range inputs {
			if err := send(ctx, source, item{v: v}); err != nil {
				return err
			}
		}
		return nil
	})
	g.Go(func() error {
		defer close(doubled)
		for i := range source {
			i.v, i.err = double(i.v)
			if err := send(ctx, doubled, i); err != nil {
				return err
			}
		}
		return nil
	})
	g.Go(func() error {
		defer close(flat)
		var scratch []int
		for i := range doubled {
			if i.err != nil {
				if err := send(ctx, flat, i); err != nil {
					return err
				}
				continue
			}
			scratch, i.err = appendFive(scratch[:0], i.v)
			for _, v := range scratch {
				if err := send(ctx, flat, item{v: v}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	g.Go(func() error {
		defer close(kept)
		for i := range flat {
			if i.err != nil || keep(i.v) {
				if err := send(ctx, kept, i); err != nil {
					return err
				}
			}
		}
		return nil
	})
	for i := range kept {
		if i.err != nil {
			o.failed()
		} else {
			o.value(i.v)
		}
	}
	return o, g.Wait()
}

// The stages of runSeq are not inlined: those of a library in which pipelines are put
// together at run time cannot be.

//go:noinline
func seqOf[T any](s []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, v := range s {
			if !yield(v, nil) {
				return
			}
		}
	}
}

//go:noinline
func seqMap[I, O any](s iter.Seq2[I, error], f func(I) (O, error)) iter.Seq2[O, error] {
	return func(yield func(O, error) bool) {
		for v, err := range s {
			var made O
			if err == nil {
				made, err = f(v)
			}
			if !yield(made, err) {
				return
			}
		}
	}
}

//go:noinline
func seqFlatMap[I, O any](s iter.Seq2[I, error], f func([]O, I) ([]O, error)) iter.Seq2[O, error] {
	return func(yield func(O, error) bool) {
		var scratch []O
		for v, err := range s {
			if err == nil {
				scratch, err = f(scratch[:0], v)
			}
			if err != nil {
				var none O
				if !yield(none, err) {
					return
				}
				continue
			}
			for _, made := range scratch {
				if !yield(made, nil) {
					return
				}
			}
		}
	}
}

//go:noinline
func seqFilter[T any](s iter.Seq2[T, error], keep func(T) bool) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for v, err := range s {
			if err != nil || keep(v) {
				if !yield(v, err) {
					return
				}
			}
		}
	}
}

func runSeq(ctx context.Context) (o Outcome, err error) {
	for v, err := range seqFilter(seqFlatMap(seqMap(seqOf(inputs), double), appendFive), keep) {
		if err != nil {
			o.failed()
		} else {
			o.value(v)
		}
	}
	return o, ctx.Err()
}
