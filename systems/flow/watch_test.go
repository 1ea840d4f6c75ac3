package flow

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestAWatchCountsAndTimesEachStage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := NewWatch("test")
		source := FromSeq(naturals).Size(10).Take(100)
		slow := Map(source, func(v int) (int, error) {
			time.Sleep(2 * time.Millisecond)
			if v%10 == 9 {
				return 0, errItem
			}
			return v, nil
		}).Name("slow")
		fan := FlatMap(slow.Async(2), func(dst []int, v int) ([]int, error) {
			time.Sleep(time.Millisecond)
			return append(dst, v, v, v), nil
		}).Name("fan")
		end := MapOrdered(fan.Filter(func(v int) bool { return v%2 == 0 }), 4, func(_ context.Context, v int) (int, error) {
			time.Sleep(time.Millisecond)
			return v, nil
		}).Name("end").Watch(w)
		for range 2 {
			if err := end.Each(t.Context(), func(int, error) error { return nil }); err != nil {
				t.Fatal(err)
			}
		}
		got := make(map[string]StageStats)
		var names []string
		for _, s := range w.Stats() {
			got[s.Stage] = s
			names = append(names, strings.Fields(s.Stage)[0])
			if s.Pipeline != "test" || s.Runs != 2 {
				t.Errorf("%+v", s)
			}
		}
		if want := "sequence take slow async, fan filter end"; strings.Join(names, " ") != want {
			t.Errorf("stages %q, want %q", names, want)
		}
		for name, want := range map[string]StageStats{
			"slow": {Values: 180, Errors: 20, Busy: 400 * time.Millisecond},
			"fan":  {Values: 540, Errors: 20, Busy: 180 * time.Millisecond},
			"end":  {Values: 300, Errors: 20, Busy: 300 * time.Millisecond},
		} {
			s := got[name]
			if s.Values != want.Values || s.Errors != want.Errors || s.Busy != want.Busy || want.Batches > 0 && s.Batches != want.Batches {
				t.Errorf("%s: %+v, want %+v", name, s, want)
			}
		}
		for name, s := range got {
			if strings.HasPrefix(name, "filter") && s.Busy != 0 {
				t.Errorf("the filter was busy for %v", s.Busy)
			}
			// The source is slower: what follows waits for it.
			if strings.HasPrefix(name, "async") && (s.Starved < 100*time.Millisecond || s.Room != 2) {
				t.Errorf("%+v", s)
			}
		}
		if per := got["slow"].PerValue(); per != 400*time.Millisecond/180 {
			t.Errorf("%v per value", per)
		}
		if (StageStats{}).PerValue() != 0 {
			t.Error("time per value of nothing")
		}
	})
}

// A Watch can be read while the stream runs, and sees its queues.
func TestAWatchSeesARunInProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := NewWatch("running")
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			done <- FromSlice(inputs).Async(3).Name("queue").Watch(w).Each(ctx, func(v int, err error) error {
				if v == 256 {
					<-ctx.Done()
				}
				return nil
			})
		}()
		synctest.Wait()
		time.Sleep(time.Minute)
		found := false
		for _, s := range w.Stats() {
			if s.Stage == "queue" {
				found = true
				if s.Queued != 3 || s.Room != 3 || s.Batches != 2 || s.Values != 512 || s.Runs != 1 {
					t.Errorf("%+v", s)
				}
			}
		}
		if !found {
			t.Error("the stage is missing")
		}
		cancel()
		<-done
	})
}

func TestDescribeShowsWhatRunsWhere(t *testing.T) {
	numbered := Map(FromSlice([]int{1, 2}), plusOne)
	merged := Merge(numbered, FromChan(make(chan int, 3)).Filter(odd))
	zipped := Zip(merged, FromSeq(naturals)).Name("number them")
	got := Describe(Batch(MapUnordered(zipped, 3, func(_ context.Context, p Pair[int, int]) (int, error) { return p.A, nil }).Size(2).Take(5), 2))
	want := `1: sequence flow.naturals
   → 4
2: slice of 2 int
   map flow.plusOne
   → 4
3: channel of int, room for 3
   filter flow.odd
   → 4
4: merge of 2 and 3
   number them with 1
   → 5
5: map out of order, 3 goroutines, watch_test.go:LINE
   take 5
   batch of 2
   → the sink
`
	got = lineNumber.ReplaceAllString(got, "watch_test.go:LINE")
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

var lineNumber = regexp.MustCompile(`watch_test\.go:\d+`)
