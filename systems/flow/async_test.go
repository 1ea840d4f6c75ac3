package flow

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"weak"
)

func TestAtMostDepthAndTwoBatchesAreMade(t *testing.T) {
	if checked {
		t.Skip("the checked build recycles none")
	}
	for _, depth := range []int{0, 1, 4} {
		seen := make(map[*batch[int]]bool)
		s := FromSlice(inputs).Size(16).Async(depth)
		r := newTestRun(t, 16)
		err := s.run(r, func(b *batch[int]) error {
			seen[b] = true
			if len(seen)%3 == 0 {
				runtime.Gosched()
			}
			return nil
		})
		if err != nil || len(seen) > depth+2 {
			t.Errorf("depth %d: %d batches and error %v, want at most %d", depth, len(seen), err, depth+2)
		}
	}
}

func TestMergeMakesABoundedNumberOfBatches(t *testing.T) {
	if checked {
		t.Skip("the checked build recycles none")
	}
	s := Merge(FromSlice(inputs), FromSlice(inputs), FromSlice(inputs))
	seen := make(map[*batch[int]]bool)
	values := 0
	err := s.run(newTestRun(t, 16), func(b *batch[int]) error {
		seen[b] = true
		values += len(b.v)
		return nil
	})
	if err != nil || len(seen) > 3+1+3 || values != 3*len(inputs) {
		t.Errorf("%d batches with %d values and error %v, want at most 7 with %d", len(seen), values, err, 3*len(inputs))
	}
}

// TestBatchesKeepNothingAlive looks at a stream that waits for its next value: what
// has been through must be free.
func TestBatchesKeepNothingAlive(t *testing.T) {
	type large [4096]byte
	type failure struct{ error }
	same := func(v *large) (*large, error) { return v, nil }
	for name, stages := range map[string]func(Stream[*large]) Stream[*large]{
		"map":    func(s Stream[*large]) Stream[*large] { return Map(s, same) },
		"filter": func(s Stream[*large]) Stream[*large] { return s.Filter(func(*large) bool { return true }) },
		"flat map": func(s Stream[*large]) Stream[*large] {
			return FlatMap(s, func(dst []*large, v *large) ([]*large, error) {
				dst = append(dst, v)
				if v[0] == 1 {
					_ = append(dst, v, v) // later values do not write over these
					return nil, errors.New("failed after it had appended")
				}
				return dst, nil
			})
		},
		"async":     func(s Stream[*large]) Stream[*large] { return s.Async(2) },
		"map async": func(s Stream[*large]) Stream[*large] { return Map(s, same).Async(2).Async(0) },
		"merge":     func(s Stream[*large]) Stream[*large] { return Merge(s) },
		"ordered": func(s Stream[*large]) Stream[*large] {
			return MapOrdered(s, 2, func(_ context.Context, v *large) (*large, error) { return v, nil })
		},
		"skip": func(s Stream[*large]) Stream[*large] { return s.Skip(1) },
		"take": func(s Stream[*large]) Stream[*large] { return s.Take(100) },
		"recover": func(s Stream[*large]) Stream[*large] {
			return s.Recover(func(error) (*large, error) { return nil, Drop })
		},
		"window": func(s Stream[*large]) Stream[*large] { return ungroup(Window(s, 3, time.Hour)) },
		"batch":  func(s Stream[*large]) Stream[*large] { return ungroup(Batch(s, 3)) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				in := make(chan *large)
				var made []weak.Pointer[large]
				var failures []weak.Pointer[failure]
				source := FromChan(in)
				withErrors := Map(source, func(v *large) (*large, error) {
					if v[0] == 2 {
						f := &failure{errors.New("with a pointer")}
						failures = append(failures, weak.Make(f))
						return nil, f
					}
					return v, nil
				})
				seen := 0
				done := make(chan error, 1)
				go func() {
					done <- stages(withErrors).Each(t.Context(), func(*large, error) error { seen++; return nil })
				}()
				for i := range 9 {
					v := new(large)
					v[0] = byte(i % 3)
					made = append(made, weak.Make(v))
					in <- v
				}
				for range 3 { // ends groups of three
					in <- new(large)
				}
				synctest.Wait()
				runtime.GC()
				runtime.GC()
				for i, p := range made {
					if p.Value() != nil {
						t.Errorf("value %d is still reachable", i)
					}
				}
				for i, p := range failures {
					if p.Value() != nil {
						t.Errorf("error %d is still reachable", i)
					}
				}
				close(in)
				if err := <-done; err != nil || seen < 6 {
					t.Errorf("%d items and error %v", seen, err)
				}
			})
		})
	}
}

func ungroup[T any](s Stream[[]T]) Stream[T] {
	return FlatMapSlice(s, func(group []T) ([]T, error) { return group, nil })
}

func TestMergeKeepsTheOrderOfEachAndEndsAllOnAFatalError(t *testing.T) {
	broken := errors.New("broken")
	evens := make([]int, 3000)
	for i := range evens {
		evens[i] = 2 * i
	}
	odds := FromFunc(func(_ context.Context, yield func(int, error) bool) error {
		for i := range 3000 {
			if !yield(2*i+1, nil) {
				return nil
			}
		}
		return nil
	})
	got, err := Merge(FromSlice(evens), odds).Collect(t.Context())
	last := [2]int{-2, -1}
	for _, v := range got {
		if v != last[v%2]+2 {
			t.Fatalf("%d follows %d", v, last[v%2])
		}
		last[v%2] = v
	}
	if len(got) != 6000 || err != nil {
		t.Errorf("%d values and error %v", len(got), err)
	}

	endless := FromSeq(naturals)
	fails := FromFunc(func(_ context.Context, yield func(int, error) bool) error {
		yield(-1, nil)
		return broken
	})
	seen := false
	err = Merge(endless, fails).Each(t.Context(), func(v int, err error) error {
		seen = seen || v == -1
		return nil
	})
	if err != broken || !seen {
		t.Errorf("error %v, value before it seen: %t; want %v and true", err, seen, broken)
	}
	if got, err := Merge[int]().Collect(t.Context()); len(got) != 0 || err != nil {
		t.Errorf("merge of nothing: %v, %v", got, err)
	}
}

func TestZipEndsWithTheShorterAndReturnsItsError(t *testing.T) {
	broken := errors.New("broken")
	short := FromFunc(func(_ context.Context, yield func(int, error) bool) error {
		yield(1, nil)
		yield(0, errors.New("item"))
		yield(2, nil)
		return broken
	})
	for name, s := range map[string]Stream[Pair[int, int]]{"second": Zip(FromSeq(naturals), short), "first": Zip(short, FromSeq(naturals))} {
		var pairs, failed int
		err := s.Each(t.Context(), func(p Pair[int, int], err error) error {
			if err != nil {
				failed++
			} else {
				pairs++
			}
			return nil
		})
		if err != broken || pairs != 2 || failed != 1 {
			t.Errorf("%s: %d pairs, %d item errors, error %v; want 2, 1, %v", name, pairs, failed, err, broken)
		}
	}
}

func TestTheSideOfATee(t *testing.T) {
	broken, item := errors.New("broken"), errors.New("item")
	t.Run("sees everything", func(t *testing.T) {
		var side []int
		source := Map(FromSlice([]int{1, 2, 3}), func(v int) (int, error) {
			if v == 2 {
				return 0, item
			}
			return v, nil
		})
		var sideErr error
		got, err := Tee(source, 0, func(ctx context.Context, s Stream[int]) error {
			return s.Each(ctx, func(v int, err error) error {
				if err != nil {
					sideErr = err
					return nil
				}
				side = append(side, v)
				return nil
			})
		}).Recover(func(error) (int, error) { return 0, nil }).Collect(t.Context())
		if !slices.Equal(got, []int{1, 0, 3}) || !slices.Equal(side, []int{1, 3}) || sideErr != item || err != nil {
			t.Errorf("%v, %v, %v, %v", got, side, sideErr, err)
		}
	})
	t.Run("its error ends the stream", func(t *testing.T) {
		_, err := Tee(FromSeq(naturals), 1, func(ctx context.Context, s Stream[int]) error {
			return broken
		}).Collect(t.Context())
		if err != broken {
			t.Errorf("error %v, want %v", err, broken)
		}
	})
	t.Run("its error counts after the end too", func(t *testing.T) {
		_, err := Tee(FromSlice([]int{1}), 1, func(ctx context.Context, s Stream[int]) error {
			s.Collect(ctx)
			return broken
		}).Collect(t.Context())
		if err != broken {
			t.Errorf("error %v, want %v", err, broken)
		}
	})
	t.Run("a panic and an exit are errors", func(t *testing.T) {
		var p *PanicError
		_, err := Tee(FromSeq(naturals), 1, func(context.Context, Stream[int]) error { panic("side") }).Collect(t.Context())
		if !errors.As(err, &p) {
			t.Errorf("error %v", err)
		}
		_, err = Tee(FromSeq(naturals), 1, func(context.Context, Stream[int]) error { runtime.Goexit(); return nil }).Collect(t.Context())
		if err != errExit {
			t.Errorf("error %v, want %v", err, errExit)
		}
	})
	t.Run("it sees the end of a stream that is stopped, and the error of one that fails", func(t *testing.T) {
		var sideErr error
		n := 0
		tee := func(s Stream[int]) Stream[int] {
			return Tee(s, 2, func(ctx context.Context, s Stream[int]) error {
				n = 0
				sideErr = s.Each(ctx, func(int, error) error { n++; return nil })
				return nil
			})
		}
		got, err := tee(FromSlice(inputs)).Take(10).Collect(t.Context())
		if len(got) != 10 || err != nil || sideErr != nil || n < 10 {
			t.Errorf("%d values, %v; side: %d values, %v", len(got), err, n, sideErr)
		}
		err = tee(FromSlice(inputs)).Each(t.Context(), func(int, error) error { return broken })
		if err != broken || sideErr == nil {
			t.Errorf("error %v, want %v; the side's error %v", err, broken, sideErr)
		}
	})
}

// TestAPanicOrAnExitInASinkPassesThroughAndLeavesNoGoroutine also holds for a loop
// over All.
func TestAPanicOrAnExitInASinkPassesThroughAndLeavesNoGoroutine(t *testing.T) {
	all := func() Stream[int] {
		s := Tee(Merge(FromSeq(naturals).Async(1), FromSlice(inputs)), 1, func(ctx context.Context, s Stream[int]) error {
			return s.Each(ctx, func(int, error) error { return nil })
		})
		s = MapOrdered(s, 2, func(_ context.Context, v int) (int, error) { return v, nil })
		return Map(Zip(s, FromSeq(naturals)), func(p Pair[int, int]) (int, error) { return p.A, nil })
	}
	for name, use := range map[string]func(){
		"each": func() {
			all().Each(context.Background(), func(int, error) error { panic("sink") })
		},
		"all": func() {
			for range all().All(context.Background()) {
				panic("sink")
			}
		},
		"fused": func() {
			calls := 0
			FromSeq(naturals).Each(context.Background(), func(int, error) error {
				if calls++; calls > 1 {
					panic("the sink is called again after its panic")
				}
				panic("sink")
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				defer func() {
					if v := recover(); v != "sink" {
						t.Errorf("recovered %v, want the sink's panic", v)
					}
				}()
				use()
			})
		})
	}
	t.Run("exit", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var wg sync.WaitGroup
			wg.Go(func() {
				all().Each(context.Background(), func(int, error) error { runtime.Goexit(); return nil })
			})
			wg.Wait()
		})
	})
}

// Errors of both streams keep their places, those of the second one too.
func TestZipHasTheErrorsOfBothInTheirPlaces(t *testing.T) {
	pairs := func(a, b Stream[int]) string { return text(t, Zip(a, b)) }
	for name, c := range map[string]struct{ got, want string }{
		"first":  {pairs(some(5), FromSlice(inputs[:4])), "{0 0} {1 1} e2 {3 2} {4 3}"},
		"second": {pairs(FromSlice(inputs[:4]), some(5)), "{0 0} {1 1} e2 {2 3} {3 4}"},
		"both":   {pairs(some(6), some(6).Async(1)), "{0 0} {1 1} e2 e2 {3 3} {4 4} e5"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", name, c.got, c.want)
		}
	}
}
