package sanitize

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/finding"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/scratch"
)

// Run runs the tests and says what they showed. An error says
// why nothing could be watched. An interrupted run returns what was
// found until then, with Interrupted set, and no error. Where only some packages were not
// watched, there are a result and an error.
func Run(ctx context.Context, o Options) (*Result, error) { return run(ctx, o, realHooks) }

func run(ctx context.Context, o Options, h hooks) (*Result, error) {
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
		o.Baseline = filepath.Join(dir, o.Baseline) // as with all names after a -C
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
	baseline := &finding.Baseline{}
	if o.Baseline != "" {
		if baseline, err = finding.ReadBaseline(o.Baseline, o.UpdateBaseline); err != nil {
			return nil, fault.Option("baseline", "", "%w", err)
		}
	}
	book := &ledger{options: o, result: res, baseline: baseline, tested: map[string]bool{}}
	modules, err := byModule.Runs(dir, line.Packages)
	if err != nil {
		return nil, err
	}
	for _, m := range modules {
		of := part{options: o, dir: m.Dir, cache: cache, known: baseline.Rules(), hooks: h}
		of.asked.line = line
		if m.Dir != dir {
			of.asked.line = line.From(dir)
		}
		of.asked.line.Packages = m.Patterns
		if of.scratch, err = recordsDir(scratch); err != nil {
			return nil, err
		}
		if err = test(ctx, of, book); err != nil {
			break
		}
	}
	if ctx.Err() != nil {
		res.Interrupted, err = true, nil
	}
	if err != nil {
		return nil, err
	}
	if err = book.finish(ctx); err == nil && len(book.lost) > 0 {
		err = fault.Errorf(fault.Tools, "%s", strings.Join(book.lost, "; "))
	}
	return res, err
}

// recordsDir makes the folder of a part's records.
func recordsDir(scratch string) (string, error) {
	dir, err := os.MkdirTemp(scratch, "run")
	if err == nil && os.Geteuid() == 0 { // a test that becomes another user opens its records again
		err = errors.Join(os.Chmod(scratch, 0o711), os.Chmod(dir, 0o711))
	}
	return dir, err
}

// test tests one part, in three steps: it makes a plan, runs it, and classifies what the run
// has shown, for which tests may run again.
func test(ctx context.Context, of part, book *ledger) error {
	p, err := prepare(ctx, of)
	book.add(p)
	if err != nil {
		return err
	}
	r := &runner{plan: p}
	c := &classifier{plan: p, tests: r, book: book}
	if len(p.left) > 0 {
		if err := c.simply(ctx); err != nil || p.nothing() {
			return err
		}
	}
	seen, err := r.run(ctx, attempt{line: p.instrumented, watch: of.options.watch(), stdout: of.options.Stdout, stderr: of.options.Stderr})
	if seen != nil {
		book.take(p, seen)
		book.first(p, seen)
	}
	if err != nil {
		return err
	}
	if err := c.classify(ctx, seen); err != nil {
		return err
	}
	return c.second(ctx, seen)
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

// cacheDir is where overlay files are kept.
func cacheDir(o Options) (string, error) {
	if o.Cache != "" {
		return o.Cache, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", errors.New("no home folder")
	}
	dir = filepath.Join(dir, "poolproof", "test")
	return dir, os.MkdirAll(dir, 0o777)
}

// line makes the go test line of the options.
func (o Options) line() (gotest.Line, error) {
	line, err := gotest.Parse(o.Flags, nil)
	if err != nil {
		return line, fault.Errorf(fault.Input, "%w", err)
	}
	if len(line.Packages) > 0 {
		return line, fault.Errorf(fault.Input, "%q is a package; packages stand after all flags", line.Packages[0])
	}
	line.Packages = o.Packages
	line.Binary = append(line.Binary, o.Binary...)
	return line, nil
}

// workDir is the folder of the go command: Dir, and -C from there.
func workDir(o Options, line *gotest.Line) (string, error) {
	dir := o.Dir
	if c, ok := line.Get("C"); ok {
		// It must stand first, and is done by us.
		*line = line.Without("C")
		if filepath.IsAbs(c) {
			dir = c
		} else {
			dir = filepath.Join(dir, c)
		}
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(abs); err != nil || !info.IsDir() {
		return "", fault.Errorf(fault.Input, "%s: no such folder", abs)
	}
	return abs, nil
}
