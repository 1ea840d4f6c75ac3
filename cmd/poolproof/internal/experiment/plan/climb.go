package plan

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/reuse"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/finding"
	misuse "github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/vetrun"
	"github.com/poolproof/poolproof/cmd/poolproof/vet"
)

// rung is a check of a variant. It says how the variant does not pass.
type rung struct {
	name   string
	needed bool                       // the variant is not measured without it
	fits   func(r *build.Reused) bool // whether there is anything to check
	check  func(ctx context.Context, r *build.Reused) (string, error)
}

// climb checks by some rungs that each variant is safe, and notes in the variants what they have passed. What
// the time does not allow is left out; the tests of a package, once they run, come to their end.
func (l *ladder) climb(ctx context.Context, all []*build.Reused, steps []rung) error {
	type result struct {
		asked, late bool
		why         string
		err         error
	}
	var names []string
	for _, step := range steps {
		names = append(names, step.name)
	}
	if len(all) == 0 || len(steps) == 0 {
		return nil
	}
	l.o.Progress.Step("checking that the variants are safe: " + strings.Join(names, ", "))
	limited, cancel := l.o.Checking(ctx)
	defer cancel()
	got := make([]result, len(all)*len(steps))
	build.Together(len(got), func(i int) {
		r, step, res := all[i%len(all)], steps[i/len(all)], &got[i]
		if r.Unsafe != "" || !step.fits(r) {
			return
		}
		res.asked = true
		switch res.late = limited.Err() != nil; {
		case res.late:
		case step.needed:
			res.why, res.err = step.check(ctx, r)
		default:
			res.why, res.err = step.check(limited, r)
			res.late = res.err != nil && limited.Err() != nil
		}
	})
	late := map[string]bool{}
	for i, res := range got {
		switch r, step := all[i%len(all)], steps[i/len(all)]; {
		case !res.asked || r.Unsafe != "":
		case ctx.Err() != nil:
			return ctx.Err()
		case res.late:
			r.Left = append(r.Left, step.name)
			late[r.Site] = true
		case res.err != nil:
			return res.err
		case res.why != "":
			r.Unsafe = step.name + ": " + res.why
		default:
			r.Passed = append(r.Passed, step.name)
		}
	}
	if len(late) > 0 {
		l.note("the budget of %s for everything left no time for some checks: poolproof try -site %s %s makes all of them", l.o.Budget, strings.Join(slices.Sorted(maps.Keys(late)), ","), l.o.Path)
	}
	return nil
}

// ladder has what all rungs need.
type ladder struct {
	bs   *build.Set
	o    ask.Options
	asIs map[string]time.Duration // by folder: how long its tests take as it is

	mu    sync.Mutex
	notes []string
}

// note keeps what the user should know.
func (l *ladder) note(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if text := fmt.Sprintf(format, args...); !slices.Contains(l.notes, text) {
		l.notes = append(l.notes, text)
	}
}

// dirs are the folders of the packages whose tests speak of a variant.
func (l *ladder) dirs(r *build.Reused) []string {
	return slices.Compact(slices.Sorted(slices.Values(append([]string{l.bs.Main().Package.Dir}, r.Dirs...))))
}

// prepare makes the builds that the variants are measured with.
func (l *ladder) prepare(ctx context.Context) ([]study.Binary, error) {
	tried := map[string]bool{}
	for _, r := range l.bs.Reused {
		tried[r.Binary] = r.None == "" && l.bs.Absent[r.Binary] == ""
	}
	return l.bs.Compile(ctx, l.o.Progress, func(id string) bool { return tried[id] })
}

// before runs the tests of the packages of some variants as they are. The error is of the kind fault.Code
// where they fail.
func (l *ladder) before(ctx context.Context, all []*build.Reused) error {
	main := l.bs.Main()
	for _, r := range all {
		for _, dir := range l.dirs(r) {
			if _, known := l.asIs[dir]; known {
				continue
			}
			l.o.Progress.Step("running the tests of " + main.Named(dir))
			began := time.Now()
			run, err := runTests(ctx, main, dir, nil, l.o.Timeout)
			if err != nil {
				return err
			}
			if why := cmp.Or(strings.Join(run.failed, ", "), run.whole); why != "" {
				return fault.Errorf(fault.Code, "the tests of %s fail before anything is changed: %s; repair them first: they are what tells whether a change is right", main.Named(dir), why)
			}
			l.asIs[dir] = time.Since(began)
		}
	}
	return nil
}

// every and pooling say which variants a rung is for.
func every(*build.Reused) bool     { return true }
func pooling(r *build.Reused) bool { return r.Pools }

// first are the rungs that cost little: the package's tests, also with what is given back overwritten.
func (l *ladder) first() []rung {
	return []rung{
		{"tests", true, every, func(ctx context.Context, r *build.Reused) (string, error) {
			return l.tests(ctx, r, l.bs.Target(r.Binary))
		}},
		{"poison", true, func(r *build.Reused) bool { return r.Poisoned != nil }, func(ctx context.Context, r *build.Reused) (string, error) { return l.tests(ctx, r, r.Poisoned) }},
	}
}

// others are the rungs above them for so many variants, without those that cannot be run here: vet finds
// nothing new, and the race detector and the sanitizer nothing in the tests.
func (l *ladder) others(variants int) (all []rung) {
	var longest time.Duration
	for _, took := range l.asIs {
		longest = max(longest, took)
	}
	found := func(name string) bool {
		_, err := exec.LookPath(name)
		return err == nil
	}
	switch {
	case !slices.ContainsFunc([]string{"gcc", "clang", "cc"}, found):
		l.note("the race detector was not asked: it needs a C compiler")
	case longest*time.Duration(variants) > max(l.o.Budget, longTests):
		l.note("the race detector was not asked: the tests take %s and would run %d times", longest.Round(time.Second), variants)
	default:
		all = append(all, rung{"race", false, every, func(ctx context.Context, r *build.Reused) (string, error) {
			return l.tests(ctx, r, l.bs.Target(r.Binary), "-race")
		}})
	}
	if l.o.Sanitize {
		all = append(all, rung{"vet", false, pooling, l.vet}, rung{"sanitizer", false, pooling, l.sanitizer})
	}
	return all
}

// tests says which tests of the packages of a variant fail in a build of it.
func (l *ladder) tests(ctx context.Context, r *build.Reused, t *build.Target, flags ...string) (string, error) {
	for _, dir := range l.dirs(r) {
		run, err := runTests(ctx, t, dir, nil, l.o.Timeout, flags...)
		if err != nil {
			return "", err
		}
		if why := cmp.Or(strings.Join(run.failed, ", "), run.whole); why != "" {
			return fmt.Sprintf("%s of %s fails", why, t.Named(dir)), nil
		}
	}
	return "", nil
}

// vet says what vet finds in a variant that it does not find in the package as it is.
func (l *ladder) vet(ctx context.Context, r *build.Reused) (string, error) {
	overlay, err := l.bs.Target(r.Binary).Overlay()
	if err != nil {
		return "", err
	}
	tool, err := os.Executable()
	if err != nil {
		return "", fault.Errorf(fault.Tools, "the file of this program cannot be found, which go vet runs: %w", err)
	}
	for _, dir := range r.Dirs {
		after, err := vetrun.Run(ctx, l.vetting(tool, dir, overlay))
		if err != nil {
			return "", err
		}
		if len(after.Findings) == 0 {
			continue
		}
		before, err := vetrun.Run(ctx, l.vetting(tool, dir, ""))
		if err != nil {
			return "", err
		}
		for _, f := range after.Findings {
			if !slices.ContainsFunc(before.Findings, func(b vetrun.Finding) bool { return b.Code == f.Code && b.Message == f.Message }) {
				return fmt.Sprintf("%s at %s:%d: %s", f.Code, overlaid.ReplaceAllString(filepath.Base(f.File), ""), f.Line, f.Message), nil
			}
		}
	}
	return "", nil
}

// overlaid begins the name of a file whose text stands for another one.
var overlaid = regexp.MustCompile(`^overlay\d+_`)

func (l *ladder) vetting(tool, dir, overlay string) vetrun.Options {
	return vetrun.Options{Tool: tool, Dir: dir, Packages: []string{"."}, Tags: l.bs.Main().Tags, Overlay: overlay, Tier: vet.Warning, Generated: true}
}

// sanitizer says how the tests of a variant misuse a pool, also with forced reuse.
func (l *ladder) sanitizer(ctx context.Context, r *build.Reused) (string, error) {
	t := l.bs.Target(r.Binary)
	overlay, err := t.Overlay()
	if err != nil {
		return "", err
	}
	for _, dir := range l.dirs(r) {
		flags := []string{"-short", "-overlay=" + overlay, "-timeout=" + (4 * l.o.Timeout).String()}
		if t.Tags != "" {
			flags = append(flags, "-tags="+t.Tags)
		}
		got, err := sanitize.Run(ctx, sanitize.Options{
			Dir: dir, Packages: []string{"."}, Flags: flags, Env: t.Env,
		})
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if got != nil {
			for _, f := range got.Findings {
				for _, report := range f.Reports {
					if report.Severity == misuse.Error && report.Suppressed == nil && ours(r, report) {
						return fmt.Sprintf("%s of %s at %s, put at %s", report.Kind, report.Type, place(report.Access), place(report.Put)), nil
					}
				}
			}
		}
		if err != nil {
			l.note("the sanitizer could not watch the tests of %s: %s", t.Named(dir), oneLine(err))
		}
	}
	return "", nil
}

// ours reports whether what a report is about was put by code of a variant.
func ours(r *build.Reused, report *finding.Report) bool {
	return slices.ContainsFunc(report.Put, func(f misuse.Frame) bool {
		name := filepath.Base(f.File)
		if strings.Contains(name, reuse.Added) {
			return true
		}
		for file := range r.Files {
			if filepath.Base(file) == name {
				return true
			}
		}
		return false
	})
}
