package flow

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// ticks sends 0, 1, 2, ... at the given times, and closes its channel after the
// last.
func ticks(at ...time.Duration) <-chan int {
	ch := make(chan int)
	go func() {
		defer close(ch)
		begun := time.Now()
		for i, d := range at {
			time.Sleep(d - time.Since(begun))
			ch <- i
		}
	}()
	return ch
}

const second = time.Second

func TestAWindowEndsWithItsNumberOrItsTime(t *testing.T) {
	for _, c := range []struct {
		at   []time.Duration
		want string
	}{
		{nil, ""},
		{[]time.Duration{1 * second}, "1s [0]\n"},                                                            // the end of the stream
		{[]time.Duration{1 * second, 2 * second, 3 * second}, "3s [0 1 2]\n"},                                // full
		{[]time.Duration{1 * second, 20 * second}, "11s [0]\n20s [1]\n"},                                     // its time
		{[]time.Duration{1, 2, 3, 4, 15 * second}, "0s [0 1 2]\n10s [3]\n15s [4]\n"},                         // each group has its own time
		{[]time.Duration{1 * second, 8 * second, 12 * second, 30 * second}, "11s [0 1]\n22s [2]\n30s [3]\n"}, // not the last value's
	} {
		synctest.Test(t, func(t *testing.T) {
			var got strings.Builder
			begun := time.Now()
			err := Window(FromChan(ticks(c.at...)), 3, 10*second).Each(t.Context(), func(group []int, err error) error {
				fmt.Fprintf(&got, "%v %v\n", time.Since(begun).Round(second), group)
				return err
			})
			if got.String() != c.want || err != nil {
				t.Errorf("%v: error %v and\n%swant\n%s", c.at, err, got.String(), c.want)
			}
		})
	}
}

func TestErrorsDoNotWaitInAWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failing := Map(FromChan(ticks(0, second, 2*second)), func(v int) (int, error) {
			if v == 1 {
				return 0, errors.New("one")
			}
			return v, nil
		})
		var got []string
		begun := time.Now()
		Window(failing, 3, 10*second).Each(t.Context(), func(group []int, err error) error {
			got = append(got, fmt.Sprint(time.Since(begun), group, err))
			return nil
		})
		if want := []string{"1s [] one", "2s [0 2] <nil>"}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

// Groups are the caller's: a later one must not change an earlier one.
func TestGroupsAreTheCallers(t *testing.T) {
	for name, s := range map[string]Stream[[]int]{
		"Batch":  Batch(FromSlice(inputs[:1000]), 7),
		"large":  Batch(FromSlice(inputs[:1000]), 600),
		"Window": Window(FromSlice(inputs[:1000]), 7, time.Hour),
	} {
		groups, err := s.Collect(t.Context())
		var all []int
		for i, g := range groups {
			if len(g) != len(groups[0]) && i < len(groups)-1 {
				t.Errorf("%s: group %d has %d values", name, i, len(g))
			}
			all = append(all, g...)
		}
		if err != nil || !slices.Equal(all, inputs[:1000]) {
			t.Errorf("%s: error %v, %v", name, err, all)
		}
	}
}

func TestRetryTriesAsItsBackoffSays(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		name  string
		b     Backoff
		fails int // so often
		want  string
	}{
		{"at once", Backoff{Tries: 1}, 0, "0s ok"},
		{"one try has the error as it is", Backoff{Tries: 1}, 9, "0s broken"},
		{"no pause", Backoff{Tries: 3}, 2, "0s ok"},
		{"doubled pauses", Backoff{Tries: 5, Pause: second}, 4, "15s ok"},
		{"longest pause", Backoff{Tries: 5, Pause: second, Max: 2 * second}, 4, "7s ok"},
		{"a pause above the longest", Backoff{Tries: 2, Pause: 9 * second, Max: second}, 1, "1s ok"},
		{"a factor", Backoff{Tries: 4, Pause: second, Factor: 3}, 3, "13s ok"},
		{"too few tries", Backoff{Tries: 3, Pause: second}, 9, "3s failed in 3 tries: broken"},
		{"not worth it", Backoff{Tries: 3, Pause: second, If: func(err error) bool { return err != broken }}, 9, "0s broken"},
		{"worth it", Backoff{Tries: 3, Pause: second, If: func(err error) bool { return err == broken }}, 1, "1s ok"},
		{"many tries without a limit do not overflow", Backoff{Tries: 5000, Factor: 1e300}, 4999, "0s ok"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begun, fails := time.Now(), c.fails
				f := Retry(c.b, func(context.Context, int) (string, error) {
					if fails--; fails >= 0 {
						return "", broken
					}
					return "ok", nil
				})
				v, err := f(t.Context(), 1)
				if err != nil {
					v = err.Error()
					if !errors.Is(err, broken) {
						t.Errorf("%v does not wrap the error", err)
					}
				}
				if got := fmt.Sprint(time.Since(begun), " ", v); got != c.want {
					t.Errorf("%s, want %s", got, c.want)
				}
			})
		})
	}
}

func TestRetryEndsWithItsContextAndOnDrop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*second)
		defer cancel()
		begun, calls := time.Now(), 0
		f := Retry(Backoff{Tries: 100, Pause: 3 * second, Factor: 1}, func(context.Context, int) (int, error) {
			calls++
			return 0, errors.New("broken")
		})
		if _, err := f(ctx, 1); !errors.Is(err, context.DeadlineExceeded) || err.Error() != "broken; gave up: context deadline exceeded" || time.Since(begun) != 10*second || calls != 4 {
			t.Errorf("error %v after %v and %d calls", err, time.Since(begun), calls)
		}
		calls = 0
		f = Retry(Backoff{Tries: 100}, func(context.Context, int) (int, error) { calls++; return 0, Drop })
		if _, err := f(t.Context(), 1); err != Drop || calls != 1 {
			t.Errorf("error %v after %d calls", err, calls)
		}
	})
}

func TestJitterShortensPauses(t *testing.T) {
	b := Backoff{Pause: second, Jitter: 0.25}
	shortest, longest := time.Hour, time.Duration(0)
	for range 1000 {
		p := b.pause(1)
		shortest, longest = min(shortest, p), max(longest, p)
	}
	if shortest < 750*time.Millisecond || longest > second || longest-shortest < 200*time.Millisecond {
		t.Errorf("pauses from %v to %v, want from 750ms to 1s", shortest, longest)
	}
}

func TestTimeoutLimitsAnItem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func(ctx context.Context, d time.Duration) (string, error) {
			if !sleep(ctx, d) {
				return "", ctx.Err()
			}
			return "ok", nil
		}
		limited := Timeout(2*second, slow)
		if v, err := limited(t.Context(), second); v != "ok" || err != nil {
			t.Errorf("%s, %v", v, err)
		}
		_, err := limited(t.Context(), 3*second)
		if !errors.Is(err, ErrTimeout) || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "of 2s") {
			t.Errorf("error %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), second)
		defer cancel()
		if _, err := limited(ctx, 3*second); errors.Is(err, ErrTimeout) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v, want that of the whole", err)
		}
		other := errors.New("other")
		if _, err := Timeout(second, func(context.Context, int) (int, error) { return 0, other })(t.Context(), 1); err != other {
			t.Errorf("error %v, want %v", err, other)
		}
	})
}

func TestThrottleLetsNoTimeSeeMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var at []time.Duration
		begun := time.Now()
		err := FromSlice(inputs[:10]).Throttle(3, second).Each(t.Context(), func(int, error) error {
			at = append(at, time.Since(begun))
			return nil
		})
		want := []time.Duration{0, 0, 0, second, second, second, 2 * second, 2 * second, 2 * second, 3 * second}
		if err != nil || !slices.Equal(at, want) {
			t.Errorf("%v and error %v, want %v", at, err, want)
		}

		ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
		defer cancel()
		got, err := FromSlice(inputs).Throttle(1, second).Collect(ctx)
		if len(got) != 3 || err != context.DeadlineExceeded {
			t.Errorf("%d values and error %v, want 3 in 2.5 seconds", len(got), err)
		}
	})
}

// A gate keeps what passed within its time, and at most as much again that is older.
func TestAGateDropsWhatNoLongerCounts(t *testing.T) {
	for _, burst := range []int{1, 3} {
		g, now := newGate(3, second), time.Now()
		for i := range 10_000 {
			if passed, _ := g.pass(burst, now); passed != burst {
				t.Fatalf("%d of %d pass after %d bursts", passed, burst, i)
			}
			if len(g.last) > 2*3+1 {
				t.Fatalf("%d bursts are kept after %d of %d", len(g.last), i+1, burst)
			}
			now = now.Add(second/time.Duration(3/burst) + 1)
		}
	}
}

// What a source has is sent before it waits.
func TestAChannelDoesNotHoldBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := make(chan int)
		got := 0
		go FromChan(in).Async(1).Each(t.Context(), func(int, error) error { got++; return nil })
		for i := range 5 {
			in <- i
			synctest.Wait()
			if got != i+1 {
				t.Errorf("%d of %d values came", got, i+1)
			}
		}
		close(in)
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- FromChan(make(chan int)).Async(1).Each(ctx, func(int, error) error { return nil }) }()
		synctest.Wait()
		cancel()
		if err := <-done; err != context.Canceled {
			t.Errorf("error %v", err)
		}
	})
}

// An iterator cannot tell when it will block. Its values must not wait for long even
// so: neither at first, nor when it becomes slow.
func TestTheValuesOfASlowIteratorDoNotWaitForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made := make([]time.Time, 11_000)
		source := FromSeq(func(yield func(int) bool) {
			for i := range 11_000 {
				switch {
				case i < 100 || i > 10_900:
					time.Sleep(10 * time.Millisecond)
				}
				made[i] = time.Now()
				if !yield(i) {
					return
				}
			}
		})
		late, largest := 0, 0
		err := source.run(newTestRun(t, 256), func(b *batch[int]) error {
			largest = max(largest, len(b.v))
			for _, v := range b.v {
				if time.Since(made[v]) > 5*time.Millisecond && (v < 100 || v > 10_900) {
					late++
				}
			}
			return nil
		})
		if err != nil || late > 0 || largest != 256 {
			t.Errorf("error %v; %d values were held back; the largest batch has %d", err, late, largest)
		}
	})
}
