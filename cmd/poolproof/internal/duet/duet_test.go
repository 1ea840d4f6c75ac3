package duet

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestQuick(t *testing.T) {
	ctx := context.Background()
	tmp := t.TempDir()
	dir, _ := filepath.Abs("testdata/bench")
	tc, err := overlay.Find(ctx, dir, tmp)
	if err != nil {
		t.Fatal(err)
	}
	p, err := List(ctx, tc, dir, "")
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(tmp, "x.test")
	sha, err := Build{Toolchain: tc, Package: p, Output: bin, Scratch: tmp, Engine: study.EngineDuet}.Compile(ctx)
	t.Log(sha, err)
	side := Side{Binary: bin, Dir: dir}
	ls, fs, err := Leaves(ctx, side, ".", 2*time.Second)
	t.Log(ls, fs, err)
	rule := study.Rule{Slice: study.Duration(time.Millisecond), WarmUp: 40, Pairs: 200, PairsQuiet: 100, LongSlice: study.Duration(100 * time.Millisecond), LongPairs: 10}
	for _, n := range []string{"BenchmarkLoop", "BenchmarkN", "BenchmarkAlloc", "BenchmarkSub/kind=b_c", "BenchmarkMetric", "BenchmarkParallel", "BenchmarkStopStart", "BenchmarkSetUp", "BenchmarkFatal", "BenchmarkFatalLater", "BenchmarkSkip", "BenchmarkPanic", "BenchmarkExit", "BenchmarkHang", "BenchmarkNope"} {
		r, sh, err := Launch{Rule: rule, Comparison: n, Form: study.FormSlices, Old: side, New: side, OldLeaf: n, NewLeaf: n, Timeout: 2 * time.Second}.Run(ctx)
		t.Log(n, r.Status, r.Error, r.Seconds, sh, r.Load, err)
		if r.Status == "ok" {
			t.Log(r.Old.Wall[:5], r.New.Wall[:5], r.Old.CPU[:5], r.Old.Allocs[:5], r.Old.Bytes[:3], r.Old.GCs[:5], r.Old.Drain[:5], r.Old.Extra)
		}
	}
}
