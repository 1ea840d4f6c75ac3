package noise

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus"
)

const pooled = `package p

import (
	"bytes"
	"sync"
)

var pool = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func deferred(s string) []byte {
	b := pool.Get().(*bytes.Buffer)
	defer pool.Put(b)
	b.Reset()
	b.WriteString(s)
	return bytes.Clone(b.Bytes())
}

func direct(s string) string {
	b := pool.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(s)
	text := b.String()
	pool.Put(b)
	return text
}

func handedOut() *bytes.Buffer { return pool.Get().(*bytes.Buffer) }
`

func TestSeedsAreFoundWherePutsAre(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"p.go": pooled, "go.mod": "module example.org/p\n\ngo 1.25\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	seeds, err := Seeds(t.Context(), Tree{Dir: dir, Patterns: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range seeds {
		got = append(got, s.Func+" "+s.Way)
	}
	slices.Sort(got)
	want := []string{
		"deferred delete", "deferred duplicate", "deferred hoistdefer", "deferred returnmemory",
		"direct delete", "direct duplicate", "direct hoistdirect",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSeedIsFoundByANewReportOfItsCodeInItsFunction(t *testing.T) {
	s := Seed{File: "p.go", First: 10, Last: 16, Wants: []string{"PV001", "PV002"}}
	hit := corpus.Report{File: "p.go", Line: 12, Code: "PV002"}
	for name, test := range map[string]struct {
		before, after corpus.Report
		want          bool
	}{
		"a new report":              {corpus.Report{}, hit, true},
		"a report that was there":   {hit, hit, false},
		"a report of another code":  {corpus.Report{}, corpus.Report{File: "p.go", Line: 12, Code: "PV005"}, false},
		"a report after the end":    {corpus.Report{}, corpus.Report{File: "p.go", Line: 17, Code: "PV002"}, false},
		"a report in another file":  {corpus.Report{}, corpus.Report{File: "q.go", Line: 12, Code: "PV002"}, false},
		"the same in another place": {corpus.Report{File: "p.go", Line: 11, Code: "PV002"}, hit, true},
	} {
		t.Run(name, func(t *testing.T) {
			if _, ok := s.Found([]corpus.Report{test.before}, []corpus.Report{test.after}); ok != test.want {
				t.Errorf("found is %v, want %v", ok, test.want)
			}
		})
	}
}
