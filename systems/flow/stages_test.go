package flow

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// endless is a source that never waits.
func endless() Stream[int] {
	return FromFunc(func(ctx context.Context, yield func(int, error) bool) error {
		for i := 0; yield(i, nil); i++ {
		}
		return nil
	})
}

// rare is a source that has five values, one an hour.
func rare() Stream[int] {
	return FromFunc(func(ctx context.Context, yield func(int, error) bool) error {
		for i := range 5 {
			if !yield(i, nil) {
				return nil
			}
			select {
			case <-time.After(time.Hour):
			case <-ctx.Done():
				return nil
			}
		}
		return nil
	})
}

// A value that comes after an hour of silence passes all stages at once.
func TestNoStageKeepsAValueBack(t *testing.T) {
	for name, b := range map[string]func(Stream[int]) Stream[int]{
		"scan":     func(s Stream[int]) Stream[int] { return Scan(s, 0, func(a, v int) (int, error) { return v, nil }) },
		"distinct": func(s Stream[int]) Stream[int] { return Distinct(s) },
		"changes":  func(s Stream[int]) Stream[int] { return Changes(s) },
		"sliding": func(s Stream[int]) Stream[int] {
			return Map(Sliding(s, 1, 1), func(v []int) (int, error) { return v[0], nil })
		},
		"flatseq": func(s Stream[int]) Stream[int] {
			return FlatMapSeq(s, func(v int) iter.Seq2[int, error] { return func(y func(int, error) bool) { y(v, nil) } })
		},
		"flatseqwait": func(s Stream[int]) Stream[int] {
			return FlatMapSeq(FromSlice([]int{1}), func(v int) iter.Seq2[int, error] {
				return func(y func(int, error) bool) {
					for i := range 5 {
						if !y(i, nil) {
							return
						}
						time.Sleep(time.Hour)
					}
				}
			})
		},
		"flatstream": func(s Stream[int]) Stream[int] {
			return FlatMapStream(s, func(v int) (Stream[int], error) { return FromSlice([]int{v}), nil })
		},
		"flatstreamwait": func(s Stream[int]) Stream[int] {
			return FlatMapStream(FromSlice([]int{1, 2}), func(v int) (Stream[int], error) { return s, nil })
		},
		"concat": func(s Stream[int]) Stream[int] { return Concat(s, s) },
		"merge":  func(s Stream[int]) Stream[int] { return Merge(s, FromChan[int](nil)) },
		"fordered": func(s Stream[int]) Stream[int] {
			return FilterOrdered(s, 3, func(context.Context, int) (bool, error) { return true, nil })
		},
		"fmordered": func(s Stream[int]) Stream[int] {
			return FlatMapOrdered(s, 3, func(_ context.Context, v int) ([]int, error) { return []int{v}, nil })
		},
		"fmun": func(s Stream[int]) Stream[int] {
			return FlatMapUnordered(s, 3, func(_ context.Context, v int) ([]int, error) { return []int{v}, nil })
		},
		"mun": func(s Stream[int]) Stream[int] {
			return MapUnordered(s, 3, func(_ context.Context, v int) (int, error) { return v, nil })
		},
		"tee": func(s Stream[int]) Stream[int] {
			return Tee(s, 4, func(ctx context.Context, a Stream[int]) error {
				return a.Each(ctx, func(int, error) error { return nil })
			})
		},
		"zip": func(s Stream[int]) Stream[int] {
			return Map(Zip(s, endless()), func(p Pair[int, int]) (int, error) { return p.A, nil })
		},
		"throttle": func(s Stream[int]) Stream[int] { return s.Throttle(1, time.Second) },
		"batch1": func(s Stream[int]) Stream[int] {
			return Map(Batch(s, 1), func(v []int) (int, error) { return v[0], nil })
		},
		"asyncs": func(s Stream[int]) Stream[int] { return s.Async(1).Async(2).Async(3).Size(1000) },
		"split, stays": func(s Stream[int]) Stream[int] {
			return Split(s, 4, func(int) bool { return false }, func(ctx context.Context, s Stream[int]) error { return nil })
		},
		"windowby": func(s Stream[int]) Stream[int] {
			return Map(WindowBy(s, func(int) int { return 0 }, 1, time.Hour), func(g Group[int, int]) (int, error) { return g.Values[0], nil })
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 3*time.Hour+time.Minute)
				defer cancel()
				begin, n := time.Now(), 0
				var late time.Duration
				err := b(rare()).Each(ctx, func(int, error) error {
					late = max(late, time.Since(begin)-time.Duration(n)*time.Hour)
					n++
					return nil
				})
				if late > time.Millisecond || n != 4 || !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("n=%d late=%v err=%v", n, late, err)
				}
			})
		})
	}
}

// Wherever a stage works when the context ends, the run ends within the item, with the
// cause.
func TestEveryStageSeesTheEndOfItsContext(t *testing.T) {
	for name, run := range map[string]func(context.Context) error{
		"scan": func(ctx context.Context) error {
			return Scan(endless(), 0, func(a, v int) (int, error) { time.Sleep(2 * ms); return v, nil }).Each(ctx, func(int, error) error { return nil })
		},
		"distinct": func(ctx context.Context) error {
			return DistinctBy(endless(), func(v int) int { time.Sleep(2 * ms); return v }).Each(ctx, func(int, error) error { return nil })
		},
		"sliding": func(ctx context.Context) error {
			return Sliding(Map(endless(), slow(2*ms)), 1000, 7).Each(ctx, func([]int, error) error { return nil })
		},
		"flatseq": func(ctx context.Context) error {
			return FlatMapSeq(FromSlice([]int{1}), func(v int) iter.Seq2[int, error] {
				return func(y func(int, error) bool) {
					for y(1, nil) {
						time.Sleep(2 * ms)
					}
				}
			}).Each(ctx, func(int, error) error { return nil })
		},
		"flatseqempty": func(ctx context.Context) error {
			return FlatMapSeq(endless(), func(v int) iter.Seq2[int, error] {
				return func(y func(int, error) bool) { time.Sleep(2 * ms) }
			}).Each(ctx, func(int, error) error { return nil })
		},
		"flatstream": func(ctx context.Context) error {
			return FlatMapStream(endless(), func(int) (Stream[int], error) { time.Sleep(2 * ms); return FromSlice[int](nil), nil }).Each(ctx, func(int, error) error { return nil })
		},
		"concat": func(ctx context.Context) error {
			return Concat(Map(endless(), slow(2*ms)), endless()).Each(ctx, func(int, error) error { return nil })
		},
		"windowby": func(ctx context.Context) error {
			return WindowBy(endless(), func(int) int { time.Sleep(2 * ms); return 1 }, 1<<20, time.Hour).Each(ctx, func(Group[int, int], error) error { return nil })
		},
		"zip": func(ctx context.Context) error {
			return Zip(endless(), FromChan[int](nil)).Each(ctx, func(Pair[int, int], error) error { return nil })
		},
		"eachpar": func(ctx context.Context) error {
			return endless().EachParallel(ctx, 3, func(context.Context, int, error) error { time.Sleep(2 * ms); return nil })
		},
		"mapreduce": func(ctx context.Context) error {
			_, err := MapReduce(ctx, endless(), 3, func(_ context.Context, v int) (int, int, error) { time.Sleep(2 * ms); return v, v, nil }, func(a, b int) (int, error) { return a, nil })
			return err
		},
		"split": func(ctx context.Context) error {
			return Split(endless(), 2, func(int) bool { time.Sleep(2 * ms); return true }, func(ctx context.Context, s Stream[int]) error {
				return s.Each(ctx, func(int, error) error { return nil })
			}).Each(ctx, func(int, error) error { return nil })
		},
		"sessions": func(ctx context.Context) error {
			return Sessions(endless(), func(int) int { time.Sleep(2 * ms); return 1 }, 1<<20, time.Hour).Each(ctx, func(Group[int, int], error) error { return nil })
		},
		"ticks": func(ctx context.Context) error {
			return Ticks(time.Hour).Each(ctx, func(time.Time, error) error { return nil })
		},
		"sendto": func(ctx context.Context) error { return endless().SendTo(ctx, make(chan int)) },
		"throttle": func(ctx context.Context) error {
			return endless().Throttle(1, time.Hour).Each(ctx, func(int, error) error { return nil })
		},
		"skip": func(ctx context.Context) error {
			return Map(endless(), slow(2*ms)).Skip(math.MaxInt).Each(ctx, func(int, error) error { return nil })
		},
		"drop": func(ctx context.Context) error {
			return Map(endless(), func(int) (int, error) { time.Sleep(2 * ms); return 0, Drop }).Each(ctx, func(int, error) error { return nil })
		},
		"retry": func(ctx context.Context) error {
			return MapOrdered(endless(), 2, Retry(Backoff{Pause: time.Hour, Tries: 5}, func(context.Context, int) (int, error) { return 0, errors.New("x") })).Each(ctx, func(_ int, err error) error { return err })
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				why := errors.New("why")
				ctx, cancel := context.WithTimeoutCause(t.Context(), 20*ms+500*time.Microsecond, why)
				defer cancel()
				begun := time.Now()
				err := run(ctx)
				if took := time.Since(begun); !errors.Is(err, why) || took > 25*ms {
					t.Errorf("error %v after %v", err, took)
				}
			})
		})
	}
}

func TestTicksComeInTheirTimeAndAreLeftOutWhereTheyAreTooMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		var at []time.Duration
		err := Ticks(10*ms).Take(4).Each(t.Context(), func(tick time.Time, err error) error {
			at = append(at, tick.Sub(begun))
			if len(at) == 2 {
				time.Sleep(35 * ms) // the tick of 30 ms waits, those of 40 and 50 are left out
			}
			return err
		})
		if want := []time.Duration{10 * ms, 20 * ms, 30 * ms, 60 * ms}; err != nil || !slices.Equal(at, want) {
			t.Errorf("ticks at %v, error %v; want %v", at, err, want)
		}
	})
}

func TestSplit(t *testing.T) {
	odd := func(v int) bool {
		if v == 7 {
			panic("seven")
		}
		return v%2 == 1
	}
	s := Map(FromSlice(inputs[:1000]), func(v int) (int, error) {
		if v%100 == 50 {
			return 0, fmt.Errorf("error %d", v)
		}
		return v, nil
	})
	var away []int
	side := func(ctx context.Context, s Stream[int]) (err error) {
		away, err = s.Collect(ctx)
		return err
	}
	var stays []int
	var errs []string
	err := Split(s, 2, odd, side).Each(t.Context(), func(v int, err error) error {
		if err != nil {
			errs = append(errs, fmt.Sprint(len(stays), " ", err))
		} else {
			stays = append(stays, v)
		}
		return nil
	})
	var wantAway, wantStays []int
	var wantErrs []string
	for _, v := range inputs[:1000] {
		switch {
		case v%100 == 50:
			wantErrs = append(wantErrs, fmt.Sprintf("%d error %d", len(wantStays), v))
		case v == 7:
			wantErrs = append(wantErrs, fmt.Sprintf("%d flow: a function of the pipeline panicked: seven", len(wantStays)))
		case v%2 == 1:
			wantAway = append(wantAway, v)
		default:
			wantStays = append(wantStays, v)
		}
	}
	if err != nil || !slices.Equal(away, wantAway) || !slices.Equal(stays, wantStays) || !slices.Equal(errs, wantErrs) {
		t.Errorf("error %v, %d of %d went away, %d of %d stayed, errors %q, want %q", err, len(away), len(wantAway), len(stays), len(wantStays), errs, wantErrs)
	}

	full := errors.New("full")
	err = Split(FromSlice(inputs), 0, odd, func(context.Context, Stream[int]) error { return full }).Each(t.Context(), func(int, error) error { return nil })
	if err != full {
		t.Errorf("error %v, want that of the side", err)
	}
	n := 0
	err = Split(FromSlice(inputs), 0, odd, func(context.Context, Stream[int]) error { return nil }).Each(t.Context(), func(int, error) error { n++; return nil })
	if err != nil || n < len(inputs)/2 {
		t.Errorf("a side that has enough: error %v, %d values", err, n)
	}
}

// A value that is slow to be judged does not hold up those that went away before it.
func TestWhatASplitGivesAwayDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		var late time.Duration
		err := Split(FromSlice(inputs[:20]), 4, func(v int) bool { time.Sleep(10 * ms); return true }, func(ctx context.Context, s Stream[int]) error {
			n := time.Duration(0)
			return s.Each(ctx, func(int, error) error {
				n++
				late = max(late, time.Since(begun)-n*10*ms)
				return nil
			})
		}).Each(t.Context(), func(int, error) error { return nil })
		if err != nil || late > 2*ms {
			t.Errorf("error %v, %v late", err, late)
		}
	})
}

func TestASessionEndsWithAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ch := make(chan string)
		go func() {
			defer close(ch)
			for _, step := range []struct {
				pause time.Duration
				v     string
			}{{0, "a1"}, {4, "b1"}, {4, "a2"}, {4, "a3"}, {2, "b2"}, {20, "a4"}, {0, "a5"}, {0, "a6"}, {0, "a7"}} {
				time.Sleep(step.pause * ms)
				ch <- step.v
			}
		}()
		begun := time.Now()
		var got []string
		err := Sessions(FromChan(ch), func(v string) byte { return v[0] }, 3, 10*ms).Each(t.Context(), func(g Group[byte, string], err error) error {
			got = append(got, fmt.Sprint(int64(time.Since(begun)/ms), g.Values))
			return err
		})
		want := []string{"12 [a1 a2 a3]", "14 [b1]", "24 [b2]", "34 [a4 a5 a6]", "34 [a7]"}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q, error %v, want %q", got, err, want)
		}
	})
}

// A limit that is no limit says so when the pipeline is made.
func TestLimitsHaveAnEnd(t *testing.T) {
	s := FromSlice(inputs[:3])
	side := func(context.Context, Stream[int]) error { return nil }
	for name, f := range map[string]func(){
		"Size: n":            func() { s.Size(math.MaxInt) },
		"Async: depth":       func() { s.Async(math.MaxInt) },
		"Tee: depth":         func() { Tee(s, math.MaxInt, side) },
		"Split: depth":       func() { Split(s, math.MaxInt, func(int) bool { return true }, side) },
		"MapOrdered: worker": func() { MapOrdered(s, math.MaxInt, func(context.Context, int) (int, error) { return 0, nil }) },
	} {
		func() {
			defer func() {
				if v := fmt.Sprint(recover()); !strings.Contains(v, name) || !strings.Contains(v, "1048576") {
					t.Errorf("%s: %s", name, v)
				}
			}()
			f()
		}()
	}
	for _, f := range []func() ([]int, error){
		func() ([]int, error) { return s.Throttle(math.MaxInt, math.MaxInt64).Collect(t.Context()) },
		func() ([]int, error) { return s.Size(most).Async(most).Collect(t.Context()) },
	} {
		if got, err := f(); len(got) != 3 || err != nil {
			t.Error(got, err)
		}
	}
}
