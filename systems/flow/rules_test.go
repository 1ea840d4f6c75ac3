package flow

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

const ms = time.Millisecond

// slow returns a function that takes d.
func slow(d time.Duration) func(int) (int, error) {
	return func(v int) (int, error) {
		time.Sleep(d)
		return v, nil
	}
}

// Wherever a stream is busy when its context ends, it ends within the item, or a
// millisecond.
func TestACancellationIsSeenWithinOneItem(t *testing.T) {
	each := func(s Stream[int], d time.Duration) func(context.Context) error {
		return func(ctx context.Context) error {
			return s.Each(ctx, func(int, error) error { time.Sleep(d); return nil })
		}
	}
	from := FromSlice(inputs)
	many := func(d time.Duration) Stream[int] {
		return FlatMap(FromSlice(inputs[:3]), func(dst []int, v int) ([]int, error) {
			for range 200_000 {
				dst = append(dst, v)
			}
			return dst, nil
		})
	}
	pass := func(_ context.Context, v int) (int, error) { time.Sleep(2 * ms); return v, nil }
	failing := func(v int) (int, error) { time.Sleep(2 * ms); return 0, errors.New("failed") }
	for name, run := range map[string]func(context.Context) error{
		"sink":               each(from, 2*ms),
		"map":                each(Map(from, slow(2*ms)), 0),
		"failing map":        each(Map(from, failing), 0),
		"map behind async":   each(Map(from, slow(2*ms)).Async(4), 0),
		"sink behind async":  each(from.Async(4), 2*ms),
		"filter":             each(from.Filter(func(int) bool { time.Sleep(2 * ms); return true }), 0),
		"filter out":         each(from.Filter(func(int) bool { time.Sleep(2 * ms); return false }), 0),
		"tap":                each(from.Tap(func(int) { time.Sleep(2 * ms) }), 0),
		"take while":         each(from.TakeWhile(func(int) bool { time.Sleep(2 * ms); return true }), 0),
		"long results":       each(many(0), 2*ms),
		"flat map":           each(FlatMapSlice(from, func(v int) ([]int, error) { time.Sleep(2 * ms); return []int{v}, nil }), 0),
		"flat map to none":   each(FlatMap(from, func(dst []int, v int) ([]int, error) { time.Sleep(2 * ms); return dst, nil }), 0),
		"recover":            each(Map(from, func(v int) (int, error) { return 0, errors.New("e") }).Recover(func(error) (int, error) { time.Sleep(2 * ms); return 1, nil }), 0),
		"map in order":       each(MapOrdered(from, 2, pass), 0),
		"map out of order":   each(MapUnordered(from, 2, pass), 0),
		"a large batch size": each(Map(from, slow(2*ms)).Size(20_000), 0),
		"batches":            func(ctx context.Context) error { _, err := Batch(Map(from, slow(2*ms)), 100).Collect(ctx); return err },
		"merge":              each(Merge(Map(from, slow(2*ms)), Map(from, slow(2*ms))), 0),
		"tee": each(Tee(from, 2, func(ctx context.Context, s Stream[int]) error {
			return s.Each(ctx, func(int, error) error { time.Sleep(2 * ms); return nil })
		}), 2*ms),
		"function": each(FromFunc(func(_ context.Context, yield func(int, error) bool) error {
			for yield(1, nil) {
				time.Sleep(2 * ms)
			}
			return nil
		}), 2*ms),
		"reduce": func(ctx context.Context) error {
			_, err := Reduce(ctx, from, 0, func(a, v int) (int, error) { time.Sleep(2 * ms); return a, nil })
			return err
		},
		"write": func(ctx context.Context) error {
			_, err := from.WriteTo(ctx, &bytes.Buffer{}, func(dst []byte, v int) ([]byte, error) { time.Sleep(2 * ms); return dst, nil })
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 20*ms+500*time.Microsecond)
				defer cancel()
				begun := time.Now()
				err := run(ctx)
				if took := time.Since(begun); !errors.Is(err, context.DeadlineExceeded) || took > 25*ms {
					t.Errorf("error %v after %v", err, took)
				}
			})
		})
	}
}

// A stream that its sink ends does not go on in other goroutines.
func TestABreakIsSeenWithinOneItem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := atomic.Int64{}
		s := Map(FromSlice(inputs), func(v int) (int, error) { calls.Add(1); time.Sleep(2 * ms); return v, nil }).Async(2)
		begun := time.Now()
		for range s.All(t.Context()) {
			break
		}
		if took := time.Since(begun); took > 6*ms || calls.Load() > 3 {
			t.Errorf("%d calls and %v", calls.Load(), took)
		}
	})
}

// A function that yields may fall silent at any time: what it has yielded comes within a
// millisecond.
func TestASilentSourceKeepsNothingBack(t *testing.T) {
	for _, burst := range []int{1, 2, 5, 20, 255, 256, 257, 500, 5000} {
		for name, build := range map[string]func(func(func(int, error) bool)) Stream[int]{
			"FromFunc": func(f func(func(int, error) bool)) Stream[int] {
				return FromFunc(func(_ context.Context, yield func(int, error) bool) error { f(yield); return nil })
			},
			"FromSeq": func(f func(func(int, error) bool)) Stream[int] {
				return FromSeq(func(yield func(int) bool) { f(func(v int, _ error) bool { return yield(v) }) })
			},
			"FromSeq2 and Async": func(f func(func(int, error) bool)) Stream[int] {
				return FromSeq2(func(yield func(int, error) bool) { f(yield) }).Async(2)
			},
			"small batches": func(f func(func(int, error) bool)) Stream[int] {
				return FromSeq2(func(yield func(int, error) bool) { f(yield) }).Size(7)
			},
		} {
			synctest.Test(t, func(t *testing.T) {
				silence := make(chan bool)
				s := build(func(yield func(int, error) bool) {
					for i := range burst {
						if !yield(i, nil) {
							return
						}
					}
					<-silence
					yield(burst, nil)
				})
				var got atomic.Int64
				done := make(chan error)
				go func() { done <- s.Each(t.Context(), func(int, error) error { got.Add(1); return nil }) }()
				time.Sleep(ms)
				synctest.Wait()
				if got.Load() != int64(burst) {
					t.Errorf("%s: %d of %d came within a millisecond", name, got.Load(), burst)
				}
				close(silence)
				if err := <-done; err != nil || got.Load() != int64(burst)+1 {
					t.Errorf("%s: %d of %d came, and error %v", name, got.Load(), burst+1, err)
				}
			})
		}
	}
}

// A slow source is asked for no value that no stage wants.
func TestASlowSourceIsNotAskedForMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		s := FromSeq(func(yield func(int) bool) {
			for i := 0; ; i++ {
				time.Sleep(time.Hour)
				asked++
				if !yield(i) {
					return
				}
			}
		})
		begun := time.Now()
		got, err := s.Take(3).Collect(t.Context())
		if len(got) != 3 || err != nil || asked != 3 || time.Since(begun) != 3*time.Hour {
			t.Errorf("%v, %v: asked %d times in %v", got, err, asked, time.Since(begun))
		}
	})
}

func TestASlowStageSendsWhatItHas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		get := func(v int) (int, error) { calls++; time.Sleep(2 * ms); return v, nil }
		if v, ok, err := Map(FromSlice(inputs), get).First(t.Context()); v != 0 || !ok || err != nil || calls != 1 {
			t.Errorf("%d, %v, %v after %d calls, want 1", v, ok, err, calls)
		}
		calls = 0
		if v, err := Map(FromSlice(inputs), get).Take(3).Collect(t.Context()); len(v) != 3 || err != nil || calls != 3 {
			t.Errorf("%d, %v after %d calls, want 3", v, err, calls)
		}
		// Fast for long, then slow.
		late, largest := 0, time.Duration(0)
		made := make([]time.Time, len(inputs))
		err := Map(FromSlice(inputs[:1000]), func(v int) (int, error) {
			if v > 900 {
				time.Sleep(5 * ms)
			}
			made[v] = time.Now()
			return v, nil
		}).Each(t.Context(), func(v int, err error) error {
			if d := time.Since(made[v]); d > 5*ms {
				late++
				largest = max(largest, d)
			}
			return err
		})
		if late > 0 || err != nil {
			t.Errorf("%d values waited for more than the item after them, up to %v; error %v", late, largest, err)
		}
	})
}

func TestNothingBeforeAFatalErrorIsLost(t *testing.T) {
	broken := errors.New("broken")
	source := FromFunc(func(_ context.Context, yield func(int, error) bool) error {
		for i := range 5 {
			yield(i, nil)
		}
		return broken
	})
	for name, s := range map[string]Stream[[]int]{
		"Batch":           Batch(source, 3),
		"Batch and Async": Batch(source.Async(1), 3).Async(1),
		"Window":          Window(source, 3, time.Hour),
	} {
		got, err := s.Collect(t.Context())
		if err != broken || fmt.Sprint(got) != "[[0 1 2] [3 4]]" {
			t.Errorf("%s: %v and %v", name, got, err)
		}
	}
}

// Workers take over what a slow stretch has left to one of them.
func TestWorkersShareASlowStretch(t *testing.T) {
	for _, c := range []struct{ fast, slow int }{{4096, 16}, {4096, 21}, {4100, 16}, {4111, 5}, {0, 16}, {20_000, 16}} {
		for name, parallel := range map[string]func(Stream[int], int, func(context.Context, int) (int, error)) Stream[int]{
			"ordered": MapOrdered[int, int], "unordered": MapUnordered[int, int],
		} {
			synctest.Test(t, func(t *testing.T) {
				n := c.fast + c.slow
				in := make([]int, n)
				for i := range in {
					in[i] = i
				}
				begun := time.Now()
				got, err := parallel(FromSlice(in), 16, func(_ context.Context, v int) (int, error) {
					if v >= c.fast {
						time.Sleep(20 * ms)
					}
					return v, nil
				}).Collect(t.Context())
				slices.Sort(got)
				limit := time.Duration((c.slow+15)/16)*20*ms + 20*ms
				if took := time.Since(begun); err != nil || !slices.Equal(got, in) || took > limit {
					t.Errorf("%s: %d fast and %d slow: %d values, error %v, %v, want at most %v", name, c.fast, c.slow, len(got), err, took, limit)
				}
			})
		}
	}
}

// Where f becomes slow within a handful, all workers without work have begun one of its
// values two milliseconds after that.
func TestAllWorkersWithoutWorkTakeOver(t *testing.T) {
	const fast, slow, workers = 4096, 64, 64
	for name, parallel := range map[string]func(Stream[int], int, func(context.Context, int) (int, error)) Stream[int]{
		"ordered": MapOrdered[int, int], "unordered": MapUnordered[int, int],
	} {
		synctest.Test(t, func(t *testing.T) {
			var first, last atomic.Int64
			_, err := parallel(FromSlice(inputs[:fast+slow]), workers, func(_ context.Context, v int) (int, error) {
				if v >= fast {
					now := time.Now().UnixNano()
					first.CompareAndSwap(0, now)
					last.Store(now) // time goes on only when all sleep
					time.Sleep(20 * ms)
				}
				return v, nil
			}).Collect(t.Context())
			if took := time.Duration(last.Load() - first.Load()); err != nil || took > 2*ms {
				t.Errorf("%s: the last of %d values that take 20 ms begins %v after the first, error %v", name, slow, took, err)
			}
		})
	}
}

func lines(n int) (text string, want []string) {
	var b strings.Builder
	for i := range n {
		line := fmt.Sprintf("line %d", i*i)
		fmt.Fprintf(&b, "  %s\t\n", line)
		want = append(want, line)
	}
	return b.String(), want
}

func TestTrimmedTokensAreTheCallers(t *testing.T) {
	text, want := lines(50_000)
	trim := func(b []byte) ([]byte, error) { return bytes.TrimSpace(b), nil }
	trimAll := func(dst [][]byte, b []byte) ([][]byte, error) { return append(dst, bytes.TrimSpace(b)), nil }
	for kind, from := range map[string]func() Stream[[]byte]{
		"FromReader":     func() Stream[[]byte] { return FromReader(strings.NewReader(text), bufio.ScanLines) },
		"FromReaderLent": func() Stream[[]byte] { return FromReaderLent(strings.NewReader(text), bufio.ScanLines) },
	} {
		for name, s := range map[string]Stream[[]byte]{
			"map":             Map(from(), trim),
			"flat map":        FlatMap(from(), trimAll),
			"map and async":   Map(from(), trim).Async(4),
			"map and filter":  Map(from(), trim).Filter(func([]byte) bool { return true }).Size(3),
			"map in order":    MapOrdered(Map(from(), trim), 4, func(_ context.Context, b []byte) ([]byte, error) { return b, nil }),
			"two maps":        Map(Map(from(), trim), trim).Async(0),
			"batch":           FlatMapSlice(Batch(Map(from(), trim), 7), func(b [][]byte) ([][]byte, error) { return b, nil }),
			"tee":             Tee(Map(from(), trim), 1, func(context.Context, Stream[[]byte]) error { return nil }),
			"skip and take":   Map(from(), trim).Skip(0).Take(1 << 30),
			"own":             Map(from(), trim).Own(bytes.Clone),
			"merge":           Merge(Map(from(), trim)),
			"watched":         Map(from(), trim).Watch(NewWatch("w")),
			"recover and tap": Map(from(), trim).Recover(func(err error) ([]byte, error) { return nil, err }).Tap(func([]byte) {}),
		} {
			got, err := s.Collect(t.Context())
			wrong := 0
			for i := range min(len(got), len(want)) {
				if string(got[i]) != want[i] {
					wrong++
				}
			}
			if err != nil || len(got) != len(want) || wrong > 0 {
				t.Errorf("%s, %s: %d lines, %d wrong, error %v", kind, name, len(got), wrong, err)
			}
		}
	}
	var kept [][]byte
	for line, err := range Map(FromReader(strings.NewReader(text), bufio.ScanLines), trim).All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, line)
	}
	for i := range kept {
		if string(kept[i]) != want[i] {
			t.Fatalf("line %d of a loop over All is %q, want %q", i, kept[i], want[i])
		}
	}
}

// A type that may hold lent memory, and that the package cannot copy, goes no further
// than the goroutine that lends it.
func TestLentValuesCannotCrossUnseen(t *testing.T) {
	type view struct{ name []byte }
	type owned struct {
		name string
		at   time.Time
		n    [3]int
	}
	lent := func() Stream[[]byte] { return FromReaderLent(strings.NewReader("a\nb\n"), bufio.ScanLines) }
	views := Map(lent(), func(b []byte) (view, error) { return view{b}, nil })
	panics := func(f func()) (text string) {
		defer func() { text = fmt.Sprint(recover()) }()
		f()
		return ""
	}
	for stage, f := range map[string]func(){
		"Async":        func() { views.Async(1) },
		"Merge":        func() { Merge(views) },
		"MapOrdered":   func() { MapOrdered(views, 1, func(context.Context, view) (int, error) { return 0, nil }) },
		"MapUnordered": func() { MapUnordered(views, 1, func(context.Context, view) (int, error) { return 0, nil }) },
		"Batch":        func() { Batch(views, 2) },
		"Window":       func() { Window(views, 2, time.Second) },
		"Zip":          func() { Zip(FromSlice(inputs), views) },
		"Tee":          func() { Tee(views, 1, func(context.Context, Stream[view]) error { return nil }) },
		"Collect":      func() { views.Filter(func(view) bool { return true }).Collect(t.Context()) },
		"SendTo":       func() { views.Take(1).SendTo(t.Context(), make(chan view)) },
	} {
		if got := panics(f); !strings.Contains(got, "flow: "+stage+" keeps values of type flow.view") {
			t.Errorf("%s: %s", stage, got)
		}
	}
	got, err := Map(lent(), func(b []byte) (owned, error) { return owned{string(b), time.Time{}, [3]int{len(b)}}, nil }).Async(1).Collect(t.Context())
	if err != nil || len(got) != 2 {
		t.Errorf("%v and %v: strings and numbers are not lent", got, err)
	}
	clones, err := Map(lent(), func(b []byte) (view, error) { return view{b}, nil }).
		Own(func(v view) view { return view{bytes.Clone(v.name)} }).Async(1).Collect(t.Context())
	if err != nil || len(clones) != 2 {
		t.Errorf("%v and %v", clones, err)
	}
}
