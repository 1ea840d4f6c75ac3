package flow

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// text returns what a sink gets of s: values and errors in order, and the fatal error.
func text[T any](t *testing.T, s Stream[T]) string {
	t.Helper()
	var got []string
	err := s.Each(t.Context(), func(v T, err error) error {
		if err != nil {
			got = append(got, err.Error())
		} else {
			got = append(got, fmt.Sprint(v))
		}
		return nil
	})
	if err != nil {
		got = append(got, "fatal "+err.Error())
	}
	return strings.Join(got, " ")
}

// some is 0 to n-1 with an error in the place of each third.
func some(n int) Stream[int] {
	return Map(FromSlice(inputs[:n]), func(v int) (int, error) {
		if v%3 == 2 {
			return 0, fmt.Errorf("e%d", v)
		}
		return v, nil
	})
}

func failing(v int) Stream[int] {
	return FromFunc(func(_ context.Context, yield func(int, error) bool) error {
		yield(v, nil)
		return errors.New("broken")
	})
}

func TestFurtherStages(t *testing.T) {
	twice := func(v int) iter.Seq2[int, error] {
		return func(yield func(int, error) bool) {
			if v == 3 {
				panic("three")
			}
			_ = yield(v, nil) && yield(0, fmt.Errorf("i%d", v)) && yield(10*v, nil)
		}
	}
	sum := func(a, v int) (int, error) {
		switch v {
		case 3:
			return 99, errors.New("three")
		case 4:
			panic("four")
		}
		return a + v, nil
	}
	for name, c := range map[string]struct{ got, want string }{
		"concat":              {text(t, Concat(some(4), FromSlice([]int{7}), some(0), some(3))), "0 1 e2 3 7 0 1 e2"},
		"concat of none":      {text(t, Concat[int]()), ""},
		"concat of itself":    {text(t, Concat(some(2), some(2)).Async(1)), "0 1 0 1"},
		"concat, fatal":       {text(t, Concat(some(2), failing(5), some(3))), "0 1 5 fatal broken"},
		"concat, enough":      {text(t, Concat(some(2), failing(5), some(3)).Take(3)), "0 1 5"},
		"flat map of seqs":    {text(t, FlatMapSeq(some(6), twice)), "0 i0 0 1 i1 10 e2 flow: a function of the pipeline panicked: three 4 i4 40 e5"},
		"of seqs, enough":     {text(t, FlatMapSeq(some(6), twice).Take(3)), "0 i0 0 1"},
		"of seqs, ahead":      {text(t, FlatMapSeq(some(2).Async(1), twice).Async(1)), "0 i0 0 1 i1 10"},
		"flat map of streams": {text(t, FlatMapStream(some(4), func(v int) (Stream[int], error) { return failing(v), nil })), "0 broken 1 broken e2 3 broken"},
		"of streams, errors": {text(t, FlatMapStream(some(4), func(v int) (Stream[int], error) {
			switch v {
			case 0:
				return FromSlice([]int{7, 8}).Async(1), nil
			case 1:
				return Stream[int]{}, nil
			}
			return Stream[int]{}, Drop
		})), "7 8 flow: a function of the pipeline panicked: flow: the Stream is the zero value; make one by FromSlice, FromSeq or another source e2"},
		"of streams once": {text(t, func() Stream[string] {
			once := FromLines(strings.NewReader("a\nb"))
			return FlatMapStream(FromSlice(inputs[:2]), func(int) (Stream[string], error) { return once, nil })
		}()), "a b " + ErrUsed.Error()},
		"scan":             {text(t, Scan(some(8), 100, sum)), "100 101 e2 three flow: a function of the pipeline panicked: four e5 107 114"},
		"distinct":         {text(t, Distinct(FromSlice([]int{1, 1, 2, 1, 3, 2}))), "1 2 3"},
		"distinct by":      {text(t, DistinctBy(some(9), func(v int) int { return v % 2 })), "0 1 e2 e5 e8"},
		"changes":          {text(t, Changes(FromSlice([]int{0, 0, 1, 1, 0, 2, 2}))), "0 1 0 2"},
		"sliding":          {text(t, Sliding(some(6), 2, 1)), "[0 1] e2 [1 3] [3 4] e5"},
		"sliding by 2":     {text(t, Sliding(FromSlice(inputs[:8]), 3, 2)), "[0 1 2] [2 3 4] [4 5 6]"},
		"sliding by more":  {text(t, Sliding(FromSlice(inputs[:9]), 2, 4)), "[0 1] [4 5]"},
		"sliding, too few": {text(t, Sliding(FromSlice(inputs[:2]), 3, 1)), ""},
		"filter in order": {text(t, FilterOrdered(some(8), 3, func(_ context.Context, v int) (bool, error) {
			return v%2 == 0, map[bool]error{true: errors.New("six")}[v == 6]
		})), "0 e2 4 e5 six"},
		"flat map in order":   {text(t, FlatMapOrdered(some(5), 3, func(_ context.Context, v int) ([]int, error) { return inputs[:v], map[bool]error{true: Drop}[v == 3] })), "0 e2 0 1 2 3"},
		"flat map, unordered": {text(t, FlatMapUnordered(some(3), 1, func(_ context.Context, v int) ([]int, error) { return inputs[v : v+2], nil })), "0 1 1 2 e2"},
		"filter, unordered":   {text(t, FilterUnordered(some(5), 1, func(_ context.Context, v int) (bool, error) { return v > 0, nil })), "1 e2 3 4"},
		"windows by key":      {text(t, WindowBy(some(9), func(v int) int { return v % 2 }, 2, time.Hour)), "e2 {1 [1 3]} {0 [0 4]} e5 e8 {0 [6]} {1 [7]}"},
		"windows, fatal":      {text(t, WindowBy(failing(5), func(v int) int { return v }, 2, time.Hour)), "{5 [5]} fatal broken"},
		"windows of NaN":      {text(t, WindowBy(FromSlice([]float64{math.NaN(), 1, math.NaN()}), func(v float64) float64 { return v }, 2, time.Hour)), "{NaN [NaN]} {NaN [NaN]} {1 [1]}"},
		"windows, panic":      {text(t, WindowBy(FromSlice([]int{0, 1}), func(v int) int { return 7 / v }, 2, time.Hour)), "flow: a function of the pipeline panicked: runtime error: integer divide by zero {7 [1]}"},
	} {
		if c.got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, c.got, c.want)
		}
	}
}

// Stages with a state have one for each run.
func TestRunsShareNoState(t *testing.T) {
	for name, s := range map[string]Stream[string]{
		"scan":     Map(Scan(some(9), 0, func(a, v int) (int, error) { return a + v, nil }), func(v int) (string, error) { return strconv.Itoa(v), nil }),
		"distinct": Map(Distinct(some(9)), func(v int) (string, error) { return strconv.Itoa(v), nil }),
		"changes":  Map(Changes(some(9)), func(v int) (string, error) { return strconv.Itoa(v), nil }),
		"sliding":  Map(Sliding(some(9), 2, 1), func(v []int) (string, error) { return fmt.Sprint(v), nil }),
	} {
		want := text(t, s)
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() {
				if got := text(t, s); got != want {
					t.Errorf("%s: %s, want %s", name, got, want)
				}
			})
		}
		wait.Wait()
	}
}

// A group is as old as its first value, whatever comes to others.
// A value that comes while the sink is at work does not join a group whose time was over
// before that.
func TestAValueDoesNotJoinAGroupWhoseTimeIsOver(t *testing.T) {
	for range 20 { // the timer and the value are ready at once, and either may be first
		synctest.Test(t, func(t *testing.T) {
			in := make(chan int, 1)
			go func() {
				defer close(in)
				in <- 1
				time.Sleep(second / 2)
				in <- 2
				in <- 2 // a whole group, with which the sink is at work until 1's time is over
				time.Sleep(3 * second / 2)
				in <- 1
			}()
			n := 0
			err := WindowBy(FromChan(in), func(v int) int { return v }, 2, second).Each(t.Context(), func(g Group[int, int], err error) error {
				n++
				if g.Key == 1 && len(g.Values) != 1 {
					t.Errorf("a group has %v, which came two seconds apart", g.Values)
				}
				if g.Key == 1 && n == 1 {
					t.Error("the sink was not at work when the time of the first group ended")
				}
				time.Sleep(3 * second)
				return err
			})
			if err != nil || n != 3 {
				t.Errorf("%d groups, error %v", n, err)
			}
		})
	}
}

func TestAWindowByKeyEndsWithItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got strings.Builder
		begun := time.Now()
		at := []time.Duration{1 * second, 2 * second, 3 * second, 10 * second, 12 * second, 13 * second, 14 * second, 60 * second}
		err := WindowBy(FromChan(ticks(at...)), func(v int) int { return v % 2 }, 3, 10*second).Each(t.Context(), func(g Group[int, int], err error) error {
			fmt.Fprintf(&got, "%v %v\n", time.Since(begun).Round(second), g)
			return err
		})
		// 0 at 1 s, 2 at 3 s; 1 at 2 s, 3 at 10 s; 4 at 12 s, 6 at 14 s; 5 at 13 s; 7 at 60 s.
		want := "11s {0 [0 2]}\n12s {1 [1 3]}\n22s {0 [4 6]}\n23s {1 [5]}\n1m0s {1 [7]}\n"
		if got.String() != want || err != nil {
			t.Errorf("error %v and\n%swant\n%s", err, got.String(), want)
		}
	})
}

func TestSlidingWindowsAreTheCallers(t *testing.T) {
	for _, step := range []int{1, 2, 7, 9} {
		all, err := Sliding(FromSlice(inputs[:1000]), 7, step).Collect(t.Context())
		if err != nil || len(all) != (1000-7)/step+1 {
			t.Fatalf("step %d: %d windows and error %v", step, len(all), err)
		}
		for i, w := range all {
			if !slices.Equal(w, inputs[i*step:i*step+7]) {
				t.Fatalf("step %d: window %d is %v", step, i, w)
			}
			_ = append(w, -1)
			w[0] = inputs[i*step]
		}
	}
}

func TestEachParallel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sum, failed, now, most atomic.Int64
		begun := time.Now()
		err := some(30).EachParallel(t.Context(), 4, func(_ context.Context, v int, err error) error {
			if err != nil {
				failed.Add(1)
				return nil
			}
			for n, m := now.Add(1), most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			time.Sleep(second)
			now.Add(-1)
			sum.Add(int64(v))
			return nil
		})
		if err != nil || sum.Load() != 280 || failed.Load() != 10 || most.Load() != 4 || time.Since(begun) > 6*second {
			t.Errorf("error %v, sum %d, %d failed, %d at once, %v", err, sum.Load(), failed.Load(), most.Load(), time.Since(begun))
		}
		broken := errors.New("broken")
		begun = time.Now()
		var calls atomic.Int64
		err = FromSlice(inputs).EachParallel(t.Context(), 4, func(ctx context.Context, v int, _ error) error {
			calls.Add(1)
			if v == 2 {
				time.Sleep(second)
				return broken
			}
			<-ctx.Done()
			return ctx.Err()
		})
		if err != broken || calls.Load() != 4 || time.Since(begun) != second {
			t.Errorf("error %v after %d calls and %v", err, calls.Load(), time.Since(begun))
		}
		if err := some(3).EachParallel(t.Context(), 2, func(_ context.Context, _ int, err error) error { return err }); err == nil || err.Error() != "e2" {
			t.Errorf("error %v, want that of the item", err)
		}
		var p *PanicError
		if err := some(2).EachParallel(t.Context(), 2, func(context.Context, int, error) error { panic("x") }); !errors.As(err, &p) {
			t.Errorf("error %v, want a panic", err)
		}
		if err := FromSlice(inputs[:1]).EachParallel(t.Context(), 2, func(context.Context, int, error) error { return Drop }); err != Drop {
			t.Errorf("error %v, want Drop: a sink leaves nothing out", err)
		}
	})
}

func TestMapReduce(t *testing.T) {
	words := strings.Fields(strings.Repeat("a b a c ", 500))
	got, err := MapReduce(t.Context(), FromSlice(words), 4,
		func(_ context.Context, w string) (string, int, error) { return w, 1, nil },
		func(a, b int) (int, error) { return a + b, nil })
	if want := map[string]int{"a": 1000, "b": 500, "c": 500}; err != nil || !maps.Equal(got, want) {
		t.Errorf("%v and %v", got, err)
	}
	broken := errors.New("broken")
	if _, err := MapReduce(t.Context(), FromSlice(words), 1,
		func(_ context.Context, w string) (string, int, error) { return w, 1, nil },
		func(a, b int) (int, error) { return 0, broken }); err != broken {
		t.Errorf("error %v", err)
	}
	if _, err := MapReduce(t.Context(), some(9), 1,
		func(_ context.Context, w int) (int, int, error) { return w, 1, nil },
		func(a, b int) (int, error) { return 0, nil }); err == nil || err.Error() != "e2" {
		t.Errorf("error %v", err)
	}
}

// Parallel forms equal their loops, with more values than a batch.
func TestParallelFormsAreTheirLoops(t *testing.T) {
	var filtered, flat []int
	for _, v := range inputs[:5000] {
		if v%7 > 2 {
			filtered = append(filtered, v)
		}
		for i := range v % 4 {
			flat = append(flat, v+i)
		}
	}
	keep := func(_ context.Context, v int) (bool, error) { return v%7 > 2, nil }
	several := func(_ context.Context, v int) (out []int, err error) {
		for i := range v % 4 {
			out = append(out, v+i)
		}
		return out, nil
	}
	for name, c := range map[string]struct {
		s    Stream[int]
		want []int
		sort bool
	}{
		"filter":              {FilterOrdered(FromSlice(inputs[:5000]), 5, keep), filtered, false},
		"filter, unordered":   {FilterUnordered(FromSlice(inputs[:5000]), 5, keep), filtered, true},
		"flat map":            {FlatMapOrdered(FromSlice(inputs[:5000]), 5, several), flat, false},
		"flat map, unordered": {FlatMapUnordered(FromSlice(inputs[:5000]), 5, several), flat, true},
	} {
		got, err := c.s.Collect(t.Context())
		if c.sort {
			slices.Sort(got)
			slices.Sort(c.want)
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %d values and error %v, want %d", name, len(got), err, len(c.want))
		}
	}
}

func TestPicturesOfFurtherStages(t *testing.T) {
	s := FilterOrdered(Concat(FromSlice(inputs[:2]), FromSlice(inputs[:3]).Async(1)), 2, func(context.Context, int) (bool, error) { return true, nil })
	want := "1: slice of 2 int\n   → 4\n2: slice of 3 int\n   → 3\n3: async, up to 1 batches wait\n   → 4\n4: concat of 1 and 3\n   → 5\n5: filter in order, 2 goroutines, forms_test.go:"
	if got := Describe(s); !strings.HasPrefix(got, want) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
