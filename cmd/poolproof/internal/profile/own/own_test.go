package own

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
)

const (
	code = `package m

type node struct {
	next *node
	v    [6]int
}

func list(n int) (head *node) {
	for range n {
		head = &node{next: head}
	}
	return head
}

func buffer(n int) []byte { return make([]byte, n) }
`
	benchmarks = `package m

import "testing"

var sink any

// Each of these sets up a hundred megabytes, in the function that it measures, too.
func BenchmarkN(b *testing.B) {
	for range 100 {
		sink = buffer(1 << 20)
	}
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		sink = list(10)
		sink = buffer(1000)
	}
}

func BenchmarkLoop(b *testing.B) {
	for range 100 {
		sink = buffer(1 << 20)
	}
	for b.Loop() {
		sink = list(10)
		sink = buffer(1000)
	}
}

func BenchmarkSkipped(b *testing.B) { b.Skip("not here") }

func BenchmarkFails(b *testing.B) { b.Fatal("not now") }
`
)

// folder writes a module and makes it the working directory.
func folder(t *testing.T, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
}

const gomod = "module example.org/m\n\ngo 1.24\n"

func ask(ctx context.Context, pattern string, budget time.Duration) (*Answer, error) {
	return Ask(ctx, Question{Patterns: []string{pattern}, Budget: budget, Timeout: time.Minute, CPU: true, Progress: progress.Quiet()})
}

func TestAnOperationIsCountedExactlyWhateverItsSetUp(t *testing.T) {
	folder(t, map[string]string{"go.mod": gomod, "m.go": code, "m_test.go": benchmarks})
	a, err := ask(t.Context(), ".", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	p := a.Packages[0]
	if p.Path != "example.org/m" || len(p.Benchmarks) != 2 {
		t.Fatalf("%s: %d benchmarks, left %v", p.Path, len(p.Benchmarks), p.Left)
	}
	for line, want := range map[int]struct {
		kind           profile.Kind
		bytes, objects float64
	}{10: {profile.KindComposite, 640, 10}, 15: {profile.KindMakeSlice, 1024, 1}} { // by size classes
		file, _ := filepath.Abs("m.go")
		sites := slices.DeleteFunc(slices.Clone(a.Profile.Sites), func(s *profile.Site) bool { return s.File != file || s.Line != line })
		if len(sites) != 1 || len(sites[0].Benchmarks) != 2 || sites[0].Kind != want.kind {
			t.Fatalf("line %d: %+v", line, sites)
		}
		for _, r := range sites[0].Benchmarks {
			if r.Bytes != want.bytes || r.Objects != want.objects {
				t.Errorf("%s, line %d: %v bytes, %v objects; want %v, %v", r.Benchmark, line, r.Bytes, r.Objects, want.bytes, want.objects)
			}
			if r.Rate <= 0 {
				t.Errorf("%s: %v operations a second", r.Benchmark, r.Rate)
			}
		}
		if b := sites[0].Bound; b.CPU <= 0 || b.CPU > 1 {
			t.Errorf("line %d: bound %+v", line, b)
		}
	}
	left := map[string]Package{}
	for _, l := range p.Left {
		if l.Failed != strings.HasSuffix(l.Name, "Fails") {
			t.Errorf("%+v", l)
		}
		left[l.Name] = p
	}
	if len(left) != 2 {
		t.Errorf("left: %v", p.Left)
	}
}

func TestALongBenchmarkHasABriefProfile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	folder(t, map[string]string{"go.mod": gomod, "m.go": code, "m_test.go": `package m

import (
	"testing"
	"time"
)

var sink any

func BenchmarkLong(b *testing.B) {
	for b.Loop() {
		time.Sleep(4 * time.Second)
		sink = list(10)
	}
}
`})
	a, err := ask(t.Context(), ".", 35*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if s := a.Profile.Sites[0]; s.Bytes != 640 || s.Bound.Benchmark != "" {
		t.Errorf("%v bytes, bound %+v", s.Bytes, s.Bound)
	}
}

func TestABudgetThatIsUsedUpIsSaid(t *testing.T) {
	folder(t, map[string]string{"go.mod": gomod, "m.go": code, "m_test.go": benchmarks})
	_, err := ask(t.Context(), ".", time.Millisecond)
	if fault.KindOf(err) != fault.Input || !strings.Contains(err.Error(), "budget 1ms: the benchmarks of example.org/m take longer than that") {
		t.Errorf("%v", err)
	}
}

func TestAPackageThatFailsDoesNotEndTheOthers(t *testing.T) {
	folder(t, map[string]string{
		"go.mod": gomod, "a/m.go": code, "a/m_test.go": benchmarks,
		"b/b.go": "package b\n\nfunc F() { undefined() }\n", "b/b_test.go": "package b\n\nimport \"testing\"\n\nfunc BenchmarkB(b *testing.B) { F() }\n",
	})
	a, err := ask(t.Context(), "./...", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if len(a.Packages) != 2 || a.Packages[0].Err != nil || fault.KindOf(a.Packages[1].Err) != fault.Code || len(a.Profile.Sites) == 0 {
		t.Errorf("%+v", a.Packages)
	}
	if _, err := ask(t.Context(), "./b", time.Minute); fault.KindOf(err) != fault.Code || !strings.Contains(err.Error(), "undefined") {
		t.Errorf("alone: %v", err)
	}
}

func TestWhatWasMeasuredBeforeAnInterruptionIsKept(t *testing.T) {
	folder(t, map[string]string{"go.mod": gomod, "m.go": code, "m_test.go": benchmarks})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	a, err := Ask(ctx, Question{Patterns: []string{"."}, Budget: time.Minute, Timeout: time.Minute, Progress: stopAt{progress.Quiet(), "BenchmarkLoop", cancel}})
	if !errors.Is(err, context.Canceled) || a == nil {
		t.Fatalf("%v, %v", a, err)
	}
	defer a.Close()
	if p := a.Packages[0]; len(p.Benchmarks) != 1 || !p.Partial || len(a.Profile.Sites) != 2 {
		t.Errorf("%d benchmarks, %d sites, left %v", len(p.Benchmarks), len(a.Profile.Sites), p.Left)
	}
}

// stopAt cancels when a benchmark begins.
type stopAt struct {
	progress.Reporter
	name   string
	cancel func()
}

func (s stopAt) Measure(_, _ time.Duration, text string) {
	if text == s.name {
		s.cancel()
	}
}
