package flow

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

type mapper = func(Stream[int], int, func(context.Context, int) (int, error)) Stream[int]

var parallelMaps = map[string]mapper{"ordered": MapOrdered[int, int], "unordered": MapUnordered[int, int]}

func TestWorkersWorkAtTheSameTimeAndNeverMore(t *testing.T) {
	for name, parallel := range parallelMaps {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var now, most atomic.Int64
				begun := time.Now()
				s := parallel(FromSlice(inputs[:64]), 8, func(_ context.Context, v int) (int, error) {
					n := now.Add(1)
					for {
						if m := most.Load(); n <= m || most.CompareAndSwap(m, n) {
							break
						}
					}
					time.Sleep(time.Second)
					now.Add(-1)
					return v, nil
				})
				got, err := s.Collect(t.Context())
				if name == "unordered" {
					slices.Sort(got)
				}
				if err != nil || !slices.Equal(got, inputs[:64]) {
					t.Errorf("%v and error %v", got, err)
				}
				if most.Load() != 8 || time.Since(begun) != 8*time.Second {
					t.Errorf("%d at a time, in %v; want 8 in 8s", most.Load(), time.Since(begun))
				}
			})
		})
	}
}

// A value that takes long holds up those after it in order only, and only a
// bounded number of them is worked on meanwhile.
func TestAValueThatTakesLong(t *testing.T) {
	const workers = 3
	for name, parallel := range parallelMaps {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var calls atomic.Int64
				s := parallel(FromSeq(naturals).Size(1), workers, func(_ context.Context, v int) (int, error) {
					calls.Add(1)
					time.Sleep(time.Millisecond) // so that jobs have one value
					if v == 0 {
						time.Sleep(time.Hour)
					}
					return v, nil
				})
				first, ok, err := s.First(t.Context())
				switch {
				case !ok || err != nil:
					t.Errorf("error %v", err)
				case name == "ordered" && (first != 0 || calls.Load() > 256*workers+2):
					t.Errorf("first %d after %d calls; want 0 after at most %d", first, calls.Load(), 256*workers+2)
				case name == "unordered" && first == 0:
					t.Error("the slow value came first")
				}
			})
		})
	}
}

// One slow value does not stop the workers: they go on with those after it. A slow sink
// does, as nothing may be called long before it is wanted.
func TestWorkersPassASlowValueButNotASlowSink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const workers, n = 4, 400
		begun := time.Now()
		f := func(_ context.Context, v int) (int, error) {
			time.Sleep(100 * time.Microsecond)
			if v%100 == 0 {
				time.Sleep(9900 * time.Microsecond)
			}
			return v, nil
		}
		got, err := MapOrdered(FromSlice(inputs[:n]), workers, f).Collect(t.Context())
		// 80 ms of work for four, if each slow value has the others beside it.
		if took := time.Since(begun); err != nil || !slices.Equal(got, inputs[:n]) || took > 30*time.Millisecond {
			t.Errorf("%d values, error %v, %v", len(got), err, took)
		}

		var calls atomic.Int64
		count := func(_ context.Context, v int) (int, error) {
			calls.Add(1)
			time.Sleep(100 * time.Microsecond)
			return v, nil
		}
		for range MapOrdered(FromSlice(inputs[:n]), workers, count).All(t.Context()) {
			time.Sleep(time.Second)
			break
		}
		if most := int64(5*workers + 2); calls.Load() > most {
			t.Errorf("%d calls before a slow sink has its first value, want at most %d", calls.Load(), most)
		}
	})
}

// Results are not held back until a batch is full, nor until the source has more.
func TestResultsDoNotWaitForMore(t *testing.T) {
	for name, parallel := range parallelMaps {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				in, out := make(chan int), make(chan int)
				done := make(chan error)
				s := parallel(FromChan(in).Async(1), 4, func(_ context.Context, v int) (int, error) { return v, nil })
				go func() { done <- s.Filter(func(int) bool { return true }).SendTo(t.Context(), out) }()
				for i := range 100 {
					in <- i
					if v := <-out; v != i {
						t.Fatalf("received %d, want %d", v, i)
					}
				}
				close(in)
				if err := <-done; err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func TestTheFunctionsContextEndsWhenTheStreamIsStopped(t *testing.T) {
	for name, parallel := range parallelMaps {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var ended atomic.Int64
				s := parallel(FromSeq(naturals), 4, func(ctx context.Context, v int) (int, error) {
					if v == 0 {
						time.Sleep(time.Second)
						return v, nil
					}
					<-ctx.Done()
					ended.Add(1)
					return 0, ctx.Err()
				})
				if first, ok, err := s.First(t.Context()); first != 0 || !ok || err != nil {
					t.Errorf("%d, %t, %v", first, ok, err)
				}
				if ended.Load() == 0 {
					t.Error("no call saw the end")
				}
			})
		})
	}
}

func TestAFunctionThatEndsItsGoroutineEndsTheRun(t *testing.T) {
	for name, parallel := range parallelMaps {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, err := parallel(FromSeq(naturals), 2, func(_ context.Context, v int) (int, error) {
					if v == 5 {
						runtime.Goexit()
					}
					return v, nil
				}).Collect(t.Context())
				if err != errExit {
					t.Errorf("error %v, want %v", err, errExit)
				}
				_, err = FromFunc(func(context.Context, func(int, error) bool) error {
					runtime.Goexit()
					return nil
				}).Async(1).Collect(t.Context())
				if err != errExit {
					t.Errorf("async: error %v, want %v", err, errExit)
				}
			})
		})
	}
}

// A fatal error of the source comes after the results of what was sent before it.
func TestAFatalErrorComesAfterTheResults(t *testing.T) {
	broken := errors.New("broken")
	for name, parallel := range parallelMaps {
		for range 50 {
			source := FromFunc(func(_ context.Context, yield func(int, error) bool) error {
				for i := range 100 {
					yield(i, nil)
				}
				return broken
			})
			got, err := parallel(source, 3, func(_ context.Context, v int) (int, error) { return v, nil }).Collect(t.Context())
			if len(got) != 100 || err != broken {
				t.Fatalf("%s: %d results and error %v, want 100 and %v", name, len(got), err, broken)
			}
		}
	}
}

// A slow stretch after a fast one is not left to one worker.
func TestASuddenSlowStretchIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		s := MapOrdered(FromSlice(inputs[:1256]), 8, func(_ context.Context, v int) (int, error) {
			if v >= 1000 {
				time.Sleep(time.Second)
			}
			return v, nil
		})
		if _, err := s.Collect(t.Context()); err != nil || time.Since(begun) > 60*time.Second {
			t.Errorf("256 seconds of work took 8 workers %v, error %v", time.Since(begun), err)
		}
	})
}
