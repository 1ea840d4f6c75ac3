package flatmapslices

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"weak"
)

// arms returns every arm around the same user's function, given as one that
// appends.
func arms[OUT any](f func(dst []OUT, x int) ([]OUT, error)) map[string]Stage[int, OUT] {
	fromNil := func(x int) ([]OUT, error) { return f(nil, x) }
	seq := func(x int) (iter.Seq[OUT], error) {
		values, err := f(nil, x)
		return slices.Values(values), err
	}
	return map[string]Stage[int, OUT]{
		"make":      Make(fromNil),
		"pool":      Pool(fromNil),
		"syncpool":  SyncPool(fromNil),
		"iterslice": IterSlice(fromNil),
		"direct":    Direct(fromNil),
		"stack":     Stack(fromNil),
		"scratch":   Scratch(f),
		"iter":      Iter(seq),
		"iterlib":   IterLib(seq),
	}
}

// fans is a user's function that makes x%modulus outputs, and fails and panics
// now and then, after it has made some.
func fans(modulus int) func(dst []string, x int) ([]string, error) {
	return func(dst []string, x int) ([]string, error) {
		for i := range x % modulus {
			dst = append(dst, fmt.Sprint(x, ".", i))
		}
		switch {
		case x%17 == 16:
			return dst, fmt.Errorf("no outputs for %d", x)
		case x%19 == 18:
			panic(x)
		}
		return dst, nil
	}
}

// plain returns what every arm must send: the user's function in a loop.
func plain(f func(dst []string, x int) ([]string, error), in []Result[int]) (out []string) {
	for _, r := range in {
		if r.IsSentinel() {
			out = append(out, "sentinel: "+r.Err().Error())
			continue
		}
		values, err := call(func(x int) ([]string, error) { return f(nil, x) }, r)
		if err != nil {
			out = append(out, "error: "+err.Error())
			continue
		}
		out = append(out, values...)
	}
	return out
}

func collect(in <-chan Result[string]) (out []string) {
	for r := range in {
		switch {
		case r.IsSentinel():
			out = append(out, "sentinel: "+r.Err().Error())
		case r.Err() != nil:
			out = append(out, "error: "+r.Err().Error())
		default:
			out = append(out, r.Value())
		}
	}
	return out
}

func TestAllArmsSendWhatAPlainLoopMakes(t *testing.T) {
	var values, mixed []Result[int]
	for x := range 400 {
		values = append(values, Ok(x))
		switch {
		case x%23 == 22:
			mixed = append(mixed, Err[int](errors.New("failed before")))
		case x%29 == 28:
			mixed = append(mixed, Sentinel[int](errors.New("page")))
		default:
			mixed = append(mixed, Ok(x))
		}
	}
	for _, c := range []struct {
		name string
		f    func(dst []string, x int) ([]string, error)
		in   []Result[int]
	}{
		{"no input", fans(5), nil},
		{"no outputs", func(dst []string, x int) ([]string, error) { return dst, nil }, values},
		{"a nil slice for no outputs", func(dst []string, x int) ([]string, error) { return nil, nil }, values},
		{"failures of the user's function", fans(5), values},
		{"more outputs than a frame holds", fans(3 * Frame), values},
		{"failed items and sentinels", fans(2 * Frame), mixed},
	} {
		want := plain(c.f, c.in)
		for name, arm := range arms(c.f) {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				for run := range 2 { // the second finds a used pool
					if got := collect(arm(t.Context(), Source(t.Context(), c.in))); !slices.Equal(got, want) {
						t.Errorf("run %d: sent %q\nwant %q", run, got, want)
					}
				}
			})
		}
	}
}

func TestAPanicOfAnIteratorFollowsItsValues(t *testing.T) {
	f := func(x int) (iter.Seq[string], error) {
		return func(yield func(string) bool) {
			yield("before")
			panic(x)
		}, nil
	}
	want := []string{"before", "error: panic: 7", "before", "error: panic: 8"}
	for name, arm := range map[string]Stage[int, string]{"iter": Iter(f), "iterlib": IterLib(f)} {
		t.Run(name, func(t *testing.T) {
			if got := collect(arm(t.Context(), Source(t.Context(), []Result[int]{Ok(7), Ok(8)}))); !slices.Equal(got, want) {
				t.Errorf("sent %q, want %q", got, want)
			}
		})
	}
}

func TestBenchmarkArmsGiveEqualSums(t *testing.T) {
	for _, arm := range pipelineArms {
		sum, failed := arm.run(t.Context())
		if sum != pipelineSum || failed != 0 {
			t.Errorf("pipeline/%s: sum %d and %d failed, want %d and 0", arm.name, sum, failed, pipelineSum)
		}
	}
	for _, item := range isolatedItems {
		for _, arm := range item.arms {
			// Short slices, then long ones: a pooled slice must grow.
			for _, fan := range []int{0, 1, isolatedFan, 2 * Frame} {
				if sum, want := arm.run(inputs, fan), inputs*fan*(inputs*fan-1)/2; sum != want {
					t.Errorf("isolated/%s/%s: sum %d for %d elements, want %d", item.name, arm.name, sum, fan, want)
				}
			}
		}
	}
}

func TestAStageServesTwoRunsAtOnce(t *testing.T) {
	f := fans(2 * Frame)
	var in []Result[int]
	for x := range 300 {
		in = append(in, Ok(x))
	}
	want := plain(f, in)
	for name, arm := range arms(f) {
		t.Run(name, func(t *testing.T) {
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					if got := collect(arm(t.Context(), Source(t.Context(), in))); !slices.Equal(got, want) {
						t.Errorf("sent %q\nwant %q", got, want)
					}
				})
			}
			wg.Wait()
		})
	}
}

// The bubble of synctest ends only when all its goroutines have: a stage that
// is left blocked fails the test.
func TestGoroutinesEndWhenTheContextDoes(t *testing.T) {
	endless := make([]Result[int], 1000) // more than the channels hold
	calls := 0
	for name, arm := range arms(func(dst []string, x int) ([]string, error) {
		calls++
		return append(dst, "a", "b", "c"), nil
	}) {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				out := arm(ctx, Source(ctx, endless))
				for range 5 {
					<-out
				}
				synctest.Wait() // the channel is full, both goroutines wait
				before := calls
				cancel()
				synctest.Wait() // both have ended
				if calls != before {
					t.Errorf("the user's function was called %d times after the end", calls-before)
				}
				if left := len(collect(out)); left != Buffer {
					t.Errorf("%d items were left, want the %d of the channel", left, Buffer)
				}
			})
		})
	}
}

// TestNoArmKeepsWhatItHasSent looks at a stage that waits for its next input:
// neither its pool nor its own slice may hold on to the last outputs.
func TestNoArmKeepsWhatItHasSent(t *testing.T) {
	type large [4096]byte
	var made []weak.Pointer[large]
	f := func(dst []*large, x int) ([]*large, error) {
		for range 3 {
			v := new(large)
			made = append(made, weak.Make(v))
			dst = append(dst, v)
		}
		if x < 0 {
			return nil, errors.New("failed after it had appended")
		}
		return dst, nil
	}
	for name, arm := range arms(f) {
		for _, c := range []struct {
			name  string
			xs    []int
			items int // that the stage sends for xs
		}{
			{"outputs", []int{1}, 3},
			{"outputs of a failed input", []int{1, -1}, 3 + 1}, // 1 first: scratch has memory
		} {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { // a missing item would block it: fail, not hang
					made = nil
					in := make(chan Result[int])
					out := arm(t.Context(), in)
					for _, x := range c.xs {
						in <- Ok(x)
					}
					for range c.items {
						<-out
					}
					in <- Sentinel[int](nil) // comes back when the stage has done with the others
					if r := <-out; !r.IsSentinel() {
						t.Fatalf("received %v, want the sentinel", r)
					}
					runtime.GC() // one: a second would empty a sync.Pool
					if len(made) != 3*len(c.xs) {
						t.Fatalf("%d outputs were made, want %d", len(made), 3*len(c.xs))
					}
					for i, p := range made {
						if p.Value() != nil {
							t.Errorf("output %d is still reachable", i)
						}
					}
					close(in)
					if _, open := <-out; open {
						t.Error("the stage sent more than it was given")
					}
				})
			})
		}
	}
}
