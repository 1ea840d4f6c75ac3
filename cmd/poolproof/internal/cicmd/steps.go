package cicmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/annotate"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/bymodule"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/cli"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/pull"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/finding"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/vetprint"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/vetrun"
	"github.com/poolproof/poolproof/cmd/poolproof/vet"
)

// vet reports findings on lines that the request changes.
func (w *work) vet(ctx context.Context) error {
	tool, err := os.Executable()
	if err != nil {
		return err
	}
	step("vet")
	r, err := vetrun.Run(ctx, vetrun.Options{Tool: tool, Dir: w.dir, Packages: w.packages, Tags: w.Tags, Tier: vet.Warning, Tests: true, NewFrom: w.base})
	if err != nil {
		return err
	}
	for _, f := range r.Findings {
		check := f.Check()
		w.report.Misuses = append(w.report.Misuses, pull.Misuse{By: "vet", Text: fmt.Sprintf("%s:%d: %s%s", vetrun.Name(r.Root, f.File), f.Line, check.Heading(f.Tier), f.Message)})
		w.codes = append(w.codes, exitcode.Findings)
	}
	for _, b := range r.Broken {
		w.broken("vet: "+b, exitcode.Build)
	}
	if w.job.Host == github {
		if err := vetprint.GitHub(os.Stdout, r); err != nil {
			return err
		}
	}
	return w.writeSARIF("vet", func(out io.Writer) error { return vetprint.SARIF(out, r, cli.Version()) })
}

// github is the host whose jobs have annotations.
const github = "GitHub"

// step says what is done now.
func step(text string) { fmt.Fprintln(os.Stderr, text) }

// writeSARIF writes a file of -sarif, if that is asked for.
func (w *work) writeSARIF(name string, write func(io.Writer) error) error {
	if w.sarif == "" {
		return nil
	}
	return study.WriteFile(filepath.Join(w.sarif, name+".sarif"), write)
}

// leastForTests is the time that tests get however little is left.
const leastForTests = 20 * time.Second

// test runs the tests of the packages that the request changes.
func (w *work) test(ctx context.Context) error {
	packages := w.changedPackages()
	if len(packages) == 0 {
		w.note("test: no package with tests differs")
		return w.writeSARIF("test", (&finding.Printer{Sites: &finding.Sites{}}).SARIF(cli.Version(), nil, nil).Write)
	}
	limit := max(leastForTests, w.left()/2)
	step(fmt.Sprintf("test %s, for %s at most", strings.Join(packages, " "), limit.Round(time.Second)))
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	o := sanitize.Options{Packages: packages, Stdout: os.Stderr, Stderr: os.Stderr}
	if w.Tags != "" {
		o.Flags = []string{"-tags=" + w.Tags}
	}
	r, err := sanitize.Run(timed, o)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if r == nil {
		return err
	}
	if r.Interrupted {
		w.note("test: the tests did not end within %s; a larger -budget gives them more", limit.Round(time.Second))
	}
	printer := *r.Printer
	printer.Base = w.top
	for _, a := range printer.Annotations(r.Findings) {
		w.report.Misuses = append(w.report.Misuses, pull.Misuse{By: "test", Text: fmt.Sprintf("%s:%d: %s", a.File, a.Line, a.Message)})
	}
	for _, f := range r.Failures {
		if f.Fails() {
			w.report.Broken = append(w.report.Broken, fmt.Sprintf("test: %s.%s: %s", f.Test.Package, f.Test.Name, f.Class.Advice()))
		}
	}
	switch r.Outcome(o) {
	case sanitize.Misused:
		w.codes = append(w.codes, exitcode.Findings)
	case sanitize.Failed:
		w.codes = append(w.codes, exitcode.Build)
	}
	if w.job.Host == github {
		if err := annotate.Write(os.Stdout, printer.Annotations(r.Findings)); err != nil {
			return err
		}
	}
	return errors.Join(err, w.writeSARIF("test", printer.SARIF(cli.Version(), r.Findings, r.Notes).Write))
}

// changedPackages lists the folders that have tests and a file that differs, as the go
// command wants them. A file in a folder without Go files counts for the package above it.
func (w *work) changedPackages() []string {
	var dirs []string
	for name := range w.differ {
		if base := path.Base(name); base == "go.mod" || base == "go.sum" || base == "go.work" {
			return w.packages
		}
		dir := filepath.Join(w.top, filepath.FromSlash(path.Dir(name)))
		for !has(dir, "*.go") && len(dir) > len(w.top) {
			dir = filepath.Dir(dir)
		}
		rel, err := filepath.Rel(build.Resolved(w.dir), build.Resolved(dir))
		if err != nil || !filepath.IsLocal(rel) || !has(dir, "*_test.go") || rel != "." && slices.ContainsFunc(strings.Split(filepath.ToSlash(rel), "/"), bymodule.Ignored) {
			continue
		}
		if rel = "./" + filepath.ToSlash(rel); !slices.Contains(dirs, rel) {
			dirs = append(dirs, rel)
		}
	}
	slices.Sort(dirs)
	return dirs
}

func has(dir, pattern string) bool {
	names, _ := filepath.Glob(filepath.Join(dir, pattern))
	return len(names) > 0
}
