//go:build unix

package duet

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestABinaryWithoutInstrumentsIsRefused(t *testing.T) {
	m := built(t, "bench", study.EnginePairs, 0)
	_, err := Start(t.Context(), m.side, "^BenchmarkN$", limit)
	if err == nil || !strings.Contains(err.Error(), "does not answer as an instrumented test binary") || strings.Contains(err.Error(), "\n") {
		t.Errorf("Start = %v", err)
	}
	var broken *BenchError
	if errors.As(err, &broken) {
		t.Error("the benchmark is blamed")
	}
	if _, err := Start(t.Context(), Program{Binary: filepath.Join(scratch, "nothing"), Dir: scratch}, ".", limit); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Start of a missing file = %v", err)
	}
}

func TestCloseLeavesNoProcessBehind(t *testing.T) {
	p := serve(t, "BenchmarkChild")
	child := int(burst(t, p, 1).Extra["pid"])
	if child == 0 {
		t.Fatal("no child")
	}
	p.Close()
	gone(t, p.cmd.Process.Pid)
	gone(t, child)
	p.Close() // again is nothing
}

func TestLeaveLetsTestMainCleanUp(t *testing.T) {
	pids := t.TempDir()
	m := built(t, "bench", study.EngineDuet, 0)
	s := Program{Binary: m.side.Binary, Dir: m.side.Dir, Env: []string{"BENCH_PIDS=" + pids}}
	l := launch(s, "BenchmarkN")
	l.Shape = &Shape{N: [2]int{1, 1}, Pairs: 1}
	if r, _, err := l.Run(t.Context()); err != nil || r.Status != study.StatusOK {
		t.Fatal(r.Status, r.Error, err)
	}
	if _, err := Leaves(t.Context(), s, "^BenchmarkN$", limit); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(pids)
	if err != nil || len(files) != 3 {
		t.Fatalf("%v, %v: want the files of three processes", files, err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".tidy") {
			t.Errorf("process %s was ended before its TestMain could clean up", f.Name())
		}
	}
}

func TestCancelInTheMiddleOfASliceEndsAll(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	pids := t.TempDir()
	m := built(t, "bench", study.EngineDuet, 0)
	l := launch(Program{Binary: m.side.Binary, Dir: m.side.Dir, Env: []string{"BENCH_PIDS=" + pids}}, "BenchmarkNap")
	l.Shape = &Shape{N: [2]int{3_600_000, 3_600_000}, Pairs: 1}
	go func() {
		for { // both processes run, and one of them naps for an hour
			if files, _ := os.ReadDir(pids); len(files) == 2 {
				time.AfterFunc(50*time.Millisecond, cancel)
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	if _, _, err := l.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Run = %v", err)
	}
	allGone(t, pids)
}

func TestAnAbandonedRequestSpoilsTheProcess(t *testing.T) {
	p := serve(t, "BenchmarkNap")
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := p.Run(ctx, 10_000, false); !errors.Is(err, context.Canceled) { // naps for ten seconds
		t.Fatalf("Run = %v", err)
	}
	if s, err := p.Run(t.Context(), 1, false); err == nil {
		t.Errorf("the late answer was taken for the next one: %+v", s)
	}
}

func TestATimeoutSpoilsTheProcess(t *testing.T) {
	p := serve(t, "BenchmarkHangLater")
	p.timeout = 200 * time.Millisecond
	for range 2 {
		var broken *BenchError
		if _, err := p.Run(t.Context(), 2, false); !errors.As(err, &broken) || broken.Status != study.StatusTimeout {
			t.Errorf("Run = %v", err)
		}
	}
	pid := p.cmd.Process.Pid
	p.Leave()
	gone(t, pid)
}

func TestNextWalksThroughTheLeavesToTheEnd(t *testing.T) {
	m := built(t, "bench", study.EngineDuet, 0)
	p, err := Start(t.Context(), m.side, "^Benchmark(Loop|N)$", limit)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, want := range []string{"BenchmarkLoop", "BenchmarkN"} {
		if got, err := p.Next(t.Context()); got != want || err != nil {
			t.Fatalf("Next = %q, %v, want %q", got, err, want)
		}
		burst(t, p, 3)
	}
	if _, err := p.Next(t.Context()); err != io.EOF {
		t.Errorf("Next after the last = %v", err)
	}
	if !strings.HasPrefix(p.Version, "go1.") || p.CPU() <= 0 {
		t.Errorf("version %q, CPU time %v", p.Version, p.CPU())
	}
}
