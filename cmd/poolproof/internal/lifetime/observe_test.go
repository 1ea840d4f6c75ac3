package lifetime

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
)

// lives is the module whose functions have objects with known lives.
func lives(t *testing.T) question {
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
	return question{toolchain: tools, dir: dir}
}

// marked returns the site with a name in a file: the line with that comment, and the lines
// that have it after a >.
func marked(t *testing.T, file, name string) *profile.Site {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := new(profile.Site)
	n := 0
	for in := bufio.NewScanner(f); in.Scan(); {
		n++
		switch _, comment, _ := strings.Cut(in.Text(), "// "); comment {
		case name:
			s.File, s.Line = file, n
		case ">" + name:
			s.Callers = append(s.Callers, profile.Place{File: file, Line: n})
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
		q.sites = append(q.sites, marked(t, filepath.Join(q.dir, "lives.go"), test.site))
		q.benchmarks = append(q.benchmarks, test.benchmark)
	}
	q.benchmarks = append(q.benchmarks, "BenchmarkCounter") // of the site "writer", too
	all, err := within(t.Context(), time.Minute, q)
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

func TestQuestionsThatCannotBeAnswered(t *testing.T) {
	q := lives(t)
	site := marked(t, filepath.Join(q.dir, "lives.go"), "local")
	q.sites = []*profile.Site{site, {File: filepath.Join(q.dir, "gone.go"), Line: 1}, marked(t, filepath.Join(q.dir, "lives.go"), "held")}
	q.benchmarks = []string{"BenchmarkLocal"}
	all, err := within(t.Context(), time.Minute, q)
	if err != nil {
		t.Fatal(err)
	}
	if all[0].Class != InFunction || !strings.HasPrefix(all[1].Why, "gone.go is not read as Go") {
		t.Errorf("%s; %s", all[0].Why, all[1].Why)
	}
	if o := all[2]; o.Class != Unknown || o.Why != "no benchmark that was watched makes objects here" {
		t.Errorf("of a site that was not reached: %s: %s", o.Class, o.Why)
	}
	q.benchmarks, q.sites = []string{"BenchmarkExits"}, []*profile.Site{site}
	if _, err := within(t.Context(), time.Minute, q); fault.KindOf(err) != fault.Code || !strings.Contains(err.Error(), "BenchmarkExits was not watched to its end") {
		t.Errorf("a benchmark that ends the process: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := within(ctx, time.Minute, q); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupted run: %v", err)
	}
}
