package flowpeers

import (
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/bradenaw/juniper/iterator"
	juniper "github.com/bradenaw/juniper/stream"
	"github.com/samber/lo/it"
	"github.com/samber/ro"
	conc "github.com/sourcegraph/conc/stream"
)

// runLo uses iterators that cannot fail, so errors are counted on the side.
func runLo(ctx context.Context) (o Outcome, err error) {
	doubled := it.FilterMap(slices.Values(inputs), func(v int) (int, bool) {
		made, err := double(v)
		if err != nil {
			o.Errors++
		}
		return made, err == nil
	})
	flat := it.FlatMap(doubled, func(v int) iter.Seq[int] {
		made, _ := five(v)
		return slices.Values(made)
	})
	for v := range it.Filter(flat, keep) {
		o.value(v)
	}
	return o, ctx.Err()
}

// outcome is an item for libraries in which an error would end the stream.
type outcome struct {
	v   int
	err error
}

// runRo carries errors as values: an error of an Observable ends it.
func runRo(ctx context.Context) (o Outcome, err error) {
	s := ro.Pipe3(
		ro.FromSlice(inputs),
		ro.Map(func(v int) outcome {
			made, err := double(v)
			return outcome{made, err}
		}),
		ro.FlatMap(func(i outcome) ro.Observable[outcome] {
			if i.err != nil {
				return ro.Just(i)
			}
			made, err := five(i.v)
			all := make([]outcome, len(made))
			for j, v := range made {
				all[j] = outcome{v, err}
			}
			return ro.FromSlice(all)
		}),
		ro.Filter(func(i outcome) bool { return i.err != nil || keep(i.v) }),
	)
	s.SubscribeWithContext(ctx, ro.NewObserver(func(i outcome) {
		if i.err != nil {
			o.failed()
		} else {
			o.value(i.v)
		}
	}, func(e error) { err = e }, func() {})).Wait()
	return o, err
}

// runConc does all of an input in one task, whose callback is called in the order of
// the inputs.
func runConc(ctx context.Context) (o Outcome, err error) {
	s := conc.New().WithMaxGoroutines(2)
	for _, in := range inputs {
		s.Go(func() conc.Callback {
			v, err := double(in)
			if err != nil {
				return o.failed
			}
			made, err := five(v)
			if err != nil {
				return o.failed
			}
			return func() {
				for _, v := range made {
					if keep(v) {
						o.value(v)
					}
				}
			}
		})
	}
	s.Wait()
	return o, ctx.Err()
}

// runJuniper carries errors as values: an error of a Stream ends it.
func runJuniper(ctx context.Context) (o Outcome, err error) {
	doubled := juniper.Map(juniper.FromIterator(iterator.Slice(inputs)), func(_ context.Context, v int) (outcome, error) {
		made, err := double(v)
		return outcome{made, err}, nil
	})
	flat := juniper.FlattenSlices(juniper.Map(doubled, func(_ context.Context, i outcome) ([]outcome, error) {
		if i.err != nil {
			return []outcome{i}, nil
		}
		made, err := five(i.v)
		all := make([]outcome, len(made))
		for j, v := range made {
			all[j] = outcome{v, err}
		}
		return all, nil
	}))
	kept := juniper.Filter(flat, func(_ context.Context, i outcome) (bool, error) { return i.err != nil || keep(i.v), nil })
	defer kept.Close()
	for {
		i, err := kept.Next(ctx)
		if errors.Is(err, juniper.End) {
			return o, nil
		}
		if err != nil {
			return o, err
		}
		if i.err != nil {
			o.failed()
		} else {
			o.value(i.v)
		}
	}
}

// Peers are all that are compared; the first is what the others are measured by.
var Peers = append([]Peer{
	{Name: "published", What: "a goroutine and a channel of Results a stage", Places: true, Run: runPublished},
	{Name: "loop", What: "a plain loop, nothing to reuse", Places: true, Lacks: "panics, context", Run: runLoop},
	{Name: "errgroup", What: "channels by hand, an errgroup", Places: true, Lacks: "panics", Run: runErrgroup},
	{Name: "seq", What: "iter.Seq2 stages by hand, not inlined", Places: true, Lacks: "panics, context", Run: runSeq},
	{Name: "lo", Module: "github.com/samber/lo", What: "iterators", Lacks: "errors, panics, context", Run: runLo},
	{Name: "ro", Module: "github.com/samber/ro", What: "observables", Lacks: "an error ends the stream: errors are values here", Places: true, Run: runRo},
	{Name: "conc", Module: "github.com/sourcegraph/conc", What: "a task an input, in order", Lacks: "stages, context", Places: true, Run: runConc},
	{Name: "juniper", Module: "github.com/bradenaw/juniper", What: "a call of Next an item", Lacks: "an error ends the stream: errors are values here; panics", Places: true, Run: runJuniper},
}, ours()...)
