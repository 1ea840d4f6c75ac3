package lifetime

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
)

// lives is the module whose functions have objects with known lives.
func lives(t *testing.T) Question {
	t.Helper()
	dir, err := filepath.Abs("testdata/lives")
	if err != nil {
		t.Fatal(err)
	}
	links := t.TempDir()
	tools, err := overlay.Find(t.Context(), dir, links, "GOWORK=off")
	if err != nil {
		t.Fatal(err)
	}
	return Question{Toolchain: tools, Dir: dir}
}

// marked returns the site with a name in a file: the line with that comment, and the lines
// that have it after a >.
func marked(t *testing.T, file, name string) Site {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var s Site
	n := 0
	for in := bufio.NewScanner(f); in.Scan(); {
		n++
		switch _, comment, _ := strings.Cut(in.Text(), "// "); comment {
		case name:
			s.Line = Line{file, n}
		case ">" + name:
			s.Callers = append(s.Callers, Line{file, n})
		}
	}
	if s.File == "" {
		t.Fatalf("%s has no comment %q", file, name)
	}
	return s
}

func TestSeededLivesAreSeen(t *testing.T) {
	q := lives(t)
	tests := []struct {
		site, benchmark string
		class           Class
		within          string
	}{
		{"local", "BenchmarkLocal", InFunction, "Local"},
		{"helper", "BenchmarkTotal", InCall, "Total"},
		{"returned", "BenchmarkEncode", Returned, ""},
		{"cached", "BenchmarkCached", Kept, ""},
		{"held", "BenchmarkHold", Kept, ""},
		{"goroutine", "BenchmarkParallel", Shared, ""},
		{"writer", "BenchmarkWrite/discard", InFunction, "WriteTo"},
		{"kept", "BenchmarkWrite/kept", Kept, ""},
		{"buffer", "BenchmarkGrow", InFunction, "Grow"},
		{"json", "BenchmarkJSON", InFunction, "JSON"},
		{"literal", "BenchmarkLiteral", InFunction, "function literal in Literal"},
		{"recursive", "BenchmarkNested", InFunction, "Nested"},
		{"assembly", "BenchmarkEqual", InCall, "Equal"},
		{"tiny", "BenchmarkTiny", Unknown, ""},
		{"sometimes", "BenchmarkSometimes", Kept, ""},
		{"given", "BenchmarkFill", Returned, ""},
		{"receiver", "BenchmarkAppend", Returned, ""},
		{"callback", "BenchmarkIgnored", Returned, ""},
		{"iterator", "BenchmarkAll", Returned, ""},
		{"last", "BenchmarkLast", Returned, ""},
		{"map", "BenchmarkCount", InCall, "Count"},
		{"element", "BenchmarkIndex", InCall, "Index"},
		{"pooled", "BenchmarkPooled", Kept, ""},
		{"sent", "BenchmarkSend", Shared, ""},
		{"generic", "BenchmarkGeneric", InFunction, "Generic"},
	}
	for _, test := range tests {
		q.Sites = append(q.Sites, marked(t, filepath.Join(q.Dir, "lives.go"), test.site))
		q.Benchmarks = append(q.Benchmarks, test.benchmark)
	}
	q.Benchmarks = append(q.Benchmarks, "BenchmarkCounter") // of the site "writer", too
	all, err := Observe(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for i, test := range tests {
		o := all[i]
		if o.Class != test.class || o.Within != test.within {
			t.Errorf("%s: class %s within %q, want %s within %q", test.site, o.Class, o.Within, test.class, test.within)
		}
		t.Logf("%s: %s: %s [objects %d: function %d, call %d, operation %d, later %d; wait %.1f]", test.site, o.Class, o.Why, o.Objects, o.Function, o.Call, o.Operation, o.Later, o.Wait)
	}
}

func TestATestIsWatchedWhereThereIsNoBenchmark(t *testing.T) {
	q := lives(t)
	q.Sites = []Site{marked(t, filepath.Join(q.Dir, "lives.go"), "local"), marked(t, filepath.Join(q.Dir, "lives.go"), "held")}
	q.Tests = []string{"TestLocal"}
	all, err := Observe(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if o := all[0]; o.Class != InFunction || o.Within != "Local" {
		t.Errorf("%s within %q: %s", o.Class, o.Within, o.Why)
	}
	if o := all[1]; o.Class != Unknown || o.Why != "no benchmark or test that was watched makes objects here" {
		t.Errorf("of a site that was not reached: %s: %s", o.Class, o.Why)
	}
}

func TestQuestionsThatCannotBeAnswered(t *testing.T) {
	q := lives(t)
	site := marked(t, filepath.Join(q.Dir, "lives.go"), "local")
	q.Sites = make([]Site, Most+1)
	if _, err := Observe(t.Context(), q); fault.KindOf(err) != fault.Input {
		t.Errorf("too many sites: %v", err)
	}
	q.Sites, q.Benchmarks = []Site{site, {Line: Line{filepath.Join(q.Dir, "gone.go"), 1}}}, []string{"BenchmarkLocal"}
	all, err := Observe(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if all[0].Class != InFunction || !strings.HasPrefix(all[1].Why, "gone.go is not read as Go") {
		t.Errorf("%s; %s", all[0].Why, all[1].Why)
	}
	q.Benchmarks, q.Sites = []string{"BenchmarkExits"}, []Site{site}
	if _, err := Observe(t.Context(), q); fault.KindOf(err) != fault.Code || !strings.Contains(err.Error(), "BenchmarkExits was not watched to its end") {
		t.Errorf("a benchmark that ends the process: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Observe(ctx, q); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupted run: %v", err)
	}
}
