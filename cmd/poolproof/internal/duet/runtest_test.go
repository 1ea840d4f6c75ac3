//go:build unix

package duet

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestATestIsRunAloneInABinaryOfEitherEngine(t *testing.T) {
	for _, engine := range []study.Engine{study.EngineDuet, study.EnginePairs} {
		m := built(t, "bench", engine, 0)
		printed, err := RunTest(t.Context(), m.side, "TestPasses", limit)
		if err != nil || !strings.Contains(printed, "result: sum 45") || strings.Contains(printed, "46") {
			t.Errorf("%s: %q, %v", engine, printed, err)
		}
	}
}

func TestATestThatDoesNotPassTellsWhatItPrinted(t *testing.T) {
	m := built(t, "bench", study.EngineDuet, 0)
	for name, want := range map[string]string{
		"TestFails": "no two arms agree",
		"TestInner": "an inner one fails",
		"TestSkips": "not on this machine",
		"TestExits": "os.Exit",
	} {
		printed, err := RunTest(t.Context(), m.side, name, limit)
		if err == nil || errors.Is(err, ErrNoTest) || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("%s: %q, %v; want an error with %q", name, printed, err, want)
		}
	}
	if _, err := RunTest(t.Context(), m.side, "TestPass", limit); !errors.Is(err, ErrNoTest) {
		t.Errorf("a name that begins others: %v", err)
	}
}

func TestATestThatHangsEndsWithItsChildren(t *testing.T) {
	m := built(t, "bench", study.EnginePairs, 0)
	for _, timeout := range patience {
		pids := t.TempDir()
		s := Program{Binary: m.side.Binary, Dir: m.side.Dir, Env: []string{"BENCH_PIDS=" + pids}}
		if _, err := RunTest(t.Context(), s, "TestHangs", timeout); err == nil || !strings.Contains(err.Error(), "did not end in "+timeout.String()) {
			t.Errorf("RunTest = %v", err)
		}
		if files, _ := os.ReadDir(pids); len(files) == 2 { // the test and its child
			allGone(t, pids)
			return
		}
	}
	t.Error("no child was started")
}

func TestCancelEndsABinaryAndItsChildren(t *testing.T) {
	pids := t.TempDir()
	m := built(t, "bench", study.EnginePairs, 0)
	s := Program{Binary: m.side.Binary, Dir: m.side.Dir, Env: []string{"BENCH_PIDS=" + pids}}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for { // the test and its child
			if files, _ := os.ReadDir(pids); len(files) == 2 {
				cancel()
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	if _, _, err := Exec(ctx, s, limit, "-test.run=^TestHangs$"); !errors.Is(err, context.Canceled) {
		t.Errorf("Exec = %v", err)
	}
	allGone(t, pids)
}
