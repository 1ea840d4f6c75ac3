package sanitize

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/finding"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/scratch"
)

// Run runs the tests and says what they showed. An error says
// why nothing could be watched. An interrupted run returns what was
// found until then, with Interrupted set, and no error.
func Run(ctx context.Context, o Options) (*Result, error) { return run(ctx, o, prepare) }

func run(ctx context.Context, o Options, p preparer) (*Result, error) {
	o.Mode, o.Poison, o.Reuse = cmp.Or(o.Mode, Exact), cmp.Or(o.Poison, "auto"), cmp.Or(o.Reuse, "on")
	line, err := o.line()
	if err != nil {
		return nil, err
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	_, moved := line.Get("C")
	dir, err := workDir(o, &line)
	if err != nil {
		return nil, err
	}
	if moved && o.Baseline != "" && !filepath.IsAbs(o.Baseline) {
		o.Baseline = filepath.Join(dir, o.Baseline) // as with all names behind a -C
	}
	scratch.Sweep()
	scratch, remove, err := scratch.Make()
	if err != nil {
		return nil, fault.Errorf(fault.Tools, "cannot make a folder for the records in %s: %w; set TMPDIR to a folder that you can write", os.TempDir(), err)
	}
	defer remove()
	res := &Result{Printer: &finding.Printer{Sites: &finding.Sites{}, Base: dir}}
	cache, err := cacheDir(o)
	if err != nil {
		res.note("there is no cache folder (%v): overlay files are written again in each run", err)
		cache = filepath.Join(scratch, "cache")
	}
	var baseline *finding.Baseline
	if o.Baseline != "" {
		if baseline, err = finding.ReadBaseline(o.Baseline, o.UpdateBaseline); err != nil {
			return nil, fault.Option("baseline", "", "%w", err)
		}
	}
	all := &gathered{result: res, baseline: baseline, tested: map[string]bool{}}
	res.Printer.Again = all.again
	parts, err := byModule.Runs(dir, line.Packages)
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		u := &unit{options: o, dir: part.Dir, cache: cache, prepare: p, all: all}
		u.asked.line = line
		if part.Dir != dir {
			u.asked.line = line.From(dir)
		}
		u.asked.line.Packages = part.Patterns
		if u.scratch, err = os.MkdirTemp(scratch, "run"); err != nil {
			return nil, err
		}
		if err = u.test(ctx); err != nil {
			break
		}
	}
	if ctx.Err() != nil {
		res.Interrupted, err = true, nil
	}
	if err != nil {
		return nil, err
	}
	return res, all.finish(ctx, o)
}

// check refuses options that make no sense.
func (o Options) check() error {
	switch {
	case o.Mode != Exact && o.Mode != Fast:
		return fault.Option("mode", string(o.Mode), "write exact or fast")
	case !slices.Contains([]string{"auto", "on", "off"}, o.Poison):
		return fault.Option("poison", o.Poison, "write auto, on or off")
	case o.Reuse != "on" && o.Reuse != "off":
		return fault.Option("reuse", o.Reuse, "write on or off")
	case o.Delay != nil && *o.Delay < 0:
		return fault.Option("delay", strconv.Itoa(*o.Delay), "write 0 or more: how many other objects of its pool must be put before an object is reused; by default none is reused")
	case o.Poison == "on" && o.Delay != nil:
		return fault.Option("poison", "on", "a delay reuses objects, and poison would overwrite the tables that programs keep in them; give one of the two")
	case o.UpdateBaseline && o.Baseline == "":
		return fault.Option("update-baseline", "", "there is no file to write; name a baseline file too")
	}
	return nil
}

// watch is how the first run watches.
func (o Options) watch() *watch {
	w := &watch{mode: o.Mode, delay: never, poison: o.Poison != "off" && o.Delay == nil}
	if o.Delay != nil {
		w.delay = *o.Delay
	}
	return w
}

func (r *Result) note(format string, args ...any) {
	text := sprintf(format, args...)
	if !slices.Contains(r.Notes, text) {
		r.Notes = append(r.Notes, text)
	}
}

// gathered is what the units found.
type gathered struct {
	result   *Result
	baseline *finding.Baseline // nil: none

	reports    []*finding.Report
	directives []*finding.Directive
	problems   []string
	tested     map[string]bool // import paths
	units      []*unit
	partly     bool // not all tests of the packages ran to their end, with all that is watched
}

// again is the command that runs a test again.
func (g *gathered) again(t finding.Test) string {
	for _, u := range g.units {
		if u.packages != nil && u.packages.paths[t.Package] {
			return u.again(t)
		}
	}
	return ""
}

// finish makes the result of what was gathered.
func (g *gathered) finish(ctx context.Context, o Options) error {
	res := g.result
	res.Findings = finding.Group(g.reports, res.Printer.Sites)
	for _, r := range g.reports {
		if r.Suppressed != nil {
			res.Suppressed = append(res.Suppressed, r)
		}
	}
	for _, p := range g.problems {
		res.note("%s", p)
	}
	var gone []*finding.Entry
	if !g.partly && !res.Interrupted {
		gone = g.unused(ctx, o)
	}
	if o.UpdateBaseline && !res.Interrupted {
		n, err := g.baseline.Update(g.reports, func(r *finding.Report) bool { return counts(r.Severity, o) }, gone, res.Printer.Sites)
		if err != nil {
			return fault.Option("update-baseline", "", "%w", err)
		}
		res.Baseline = n
	}
	return nil
}

var errNoHome = errors.New("no home folder")

// cacheDir is where overlay files are kept.
func cacheDir(o Options) (string, error) {
	if o.Cache != "" {
		return o.Cache, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", errNoHome
	}
	dir = filepath.Join(dir, "poolproof", "test")
	return dir, os.MkdirAll(dir, 0o777)
}
