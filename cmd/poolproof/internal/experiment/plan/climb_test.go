package plan

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestChecksLeaveAThirdOfTheTime(t *testing.T) {
	type check = func(ctx context.Context, _ *build.Reused) (string, error)
	passes := func(ctx context.Context, _ *build.Reused) (string, error) { return "", ctx.Err() }
	slow := func(ctx context.Context, _ *build.Reused) (string, error) {
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
		return "", ctx.Err()
	}
	for _, test := range []struct {
		name        string
		until       time.Duration // 0: the budget is one of measuring time
		tests, race check
		left        []string
	}{
		{"measuring time", 0, passes, passes, nil},
		{"enough time", time.Minute, passes, passes, nil},
		{"a third is left", 19 * time.Second, passes, passes, []string{"tests", "race"}},
		{"the time ends within the tests", 20*time.Second + 50*time.Millisecond, slow, slow, []string{"race"}},
		{"the time ends within a check", 20*time.Second + 50*time.Millisecond, passes, slow, []string{"race"}},
		{"a check finds something as the time ends", 20*time.Second + 50*time.Millisecond, passes, func(ctx context.Context, _ *build.Reused) (string, error) {
			<-ctx.Done()
			return "a data race", nil
		}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := &ladder{o: ask.Options{Question: study.Question{Budget: time.Minute, Path: "./codec"}, Progress: progress.Quiet()}}
			if test.until != 0 {
				l.o.Until = time.Now().Add(test.until)
			}
			r := &build.Reused{ListedVariant: study.ListedVariant{Site: "a.go:1"}}
			steps := []rung{{"tests", true, every, test.tests}, {"race", false, every, test.race}, {"vet", false, pooling, passes}}
			if err := l.climb(t.Context(), []*build.Reused{r}, steps); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(r.Left, test.left) || slices.Contains(r.Passed, "tests") == untested(r) {
				t.Errorf("passed %v, left %v, want %v", r.Passed, r.Left, test.left)
			}
			if len(test.left) == 0 && r.Unsafe == "" && !slices.Contains(r.Passed, "race") {
				t.Errorf("passed %v", r.Passed)
			}
			note := strings.Join(l.notes, "; ")
			if said := strings.Contains(note, "poolproof try -site a.go:1 ./codec"); said != (len(test.left) > 0) {
				t.Errorf("it says %q", note)
			}
		})
	}
}
