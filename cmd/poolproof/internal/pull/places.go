package pull

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/annotate"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sarif"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// Place is the line of a benchmark.
type Place struct {
	File string // from the root of the repository, with slashes
	Line int
}

// Worse is a benchmark that is NEGATIVE or UNSAFE, with its place.
type Worse struct {
	Place
	Text   string
	Unsafe bool
}

// Worse lists the benchmarks that are worse. dirs are the folders of the packages in
// the order of the verdicts, root is that of the repository.
func (r *Report) Worse(dirs []string, root string) []Worse {
	var list []Worse
	for i, v := range r.Verdicts {
		for _, x := range words.Rows(v) {
			if x.Verdict != study.Negative && x.Verdict != study.Unsafe {
				continue
			}
			w := Worse{Place: find(dirs[i], root, x.Benchmark), Unsafe: x.Verdict == study.Unsafe}
			w.Text = fmt.Sprintf("%s is %s against %s: %s", x.Name(true), x.Verdict, r.Base, strings.TrimSuffix(words.Clauses(words.Reasons(x.Result)), "."))
			list = append(list, w)
		}
	}
	return list
}

// find looks for the function of a benchmark in the test files of a folder.
func find(dir, root, benchmark string) Place {
	top, _, _ := strings.Cut(benchmark, "/")
	head := regexp.MustCompile(`^func ` + regexp.QuoteMeta(top) + `\(`)
	files, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		for i, line := range strings.Split(string(text), "\n") {
			if head.MatchString(line) {
				return Place{relative(root, name), i + 1}
			}
		}
	}
	return Place{relative(root, dir), 1}
}

func relative(root, name string) string {
	if abs, err := filepath.Abs(name); err == nil {
		name = abs
	}
	if rel, err := filepath.Rel(root, name); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(name)
}

// Annotations shows them beside the lines of the benchmarks.
func Annotations(list []Worse) []annotate.Annotation {
	var all []annotate.Annotation
	for _, w := range list {
		a := annotate.Annotation{Level: annotate.Warning, File: w.File, Line: w.Line, Title: "poolproof try", Message: w.Text}
		if w.Unsafe {
			a.Level = annotate.Error
		}
		all = append(all, a)
	}
	return all
}

// SARIF writes them as results.
func SARIF(w io.Writer, list []Worse, version string) error {
	run := sarif.Run{
		Tool:     sarif.Tool{Name: "poolproof", Version: version, URL: "https://github.com/poolproof/poolproof"},
		Category: "poolproof/try",
		Rules: []sarif.Rule{
			{ID: "negative", Name: "negative", Short: "A benchmark is worse than in the base revision.", Level: sarif.Warning},
			{ID: "unsafe", Name: "unsafe", Short: "A benchmark misuses a pool.", Level: sarif.Error},
		},
	}
	for _, x := range list {
		rule := "negative"
		if x.Unsafe {
			rule = "unsafe"
		}
		run.Results = append(run.Results, sarif.Result{Rule: rule, Message: x.Text, At: sarif.Location{File: x.File, Start: sarif.Position{Line: x.Line}}})
	}
	return run.Write(w)
}
