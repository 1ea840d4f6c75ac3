package sanitize

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/finding"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/toolchain"
)

// The second pass: forced reuse. In the first one no object comes back, so that what
// its last user has left in it is never seen. Here each Get returns the object that
// was put last. A test that passes with fresh objects and fails with used ones depends on
// what an earlier user has left: an error, if it does so again, and passes again with
// fresh objects in the very same binary.

// envReuse tells such a binary that no object comes back after all.
const envReuse = "POOLPROOF_TEST_REUSE"

// SecondPass is what the second pass was.
type SecondPass struct {
	Packages int           // that use pools of their own, and were tested again
	Took     time.Duration // with the build
	Why      string        // why there was none; "" if there was one, or nothing to test
}

// reuse runs the second pass over the packages that use pools.
func (u *unit) reuse(ctx context.Context, first *outcome) error {
	res := u.all.result
	if why := u.noReuse(); why != "" {
		res.Second.Why = why
		return nil
	}
	pkgs := u.usePools(first)
	if len(pkgs) == 0 {
		return nil
	}
	line, err := u.reusing(ctx)
	if err != nil {
		return err
	}
	start := time.Now()
	out, said, err := u.passOf(ctx, line, pkgs, nil, false)
	res.Second.Packages += len(pkgs)
	res.Second.Took += time.Since(start)
	if err != nil {
		return err
	}
	for _, p := range out.packages {
		if p.State == gotest.BuildFailed || p.State == gotest.SetupFailed {
			res.note("%s was left out of the second pass: it does not build with the pools of that pass", p.Path)
			continue
		}
		if err := u.leftOvers(ctx, line, p, failedBefore(first, p.Path), said); err != nil {
			return err
		}
	}
	return nil
}

// noReuse says why there is no second pass.
func (u *unit) noReuse() string {
	if u.options.Reuse == "off" {
		return "-reuse=off"
	}
	if u.options.Delay != nil {
		return "with -delay objects come back in the first pass"
	}
	for _, name := range []string{"c", "n", "list", "fuzz"} {
		if v := u.asked.get(name); v != "" && v != "false" {
			return "-" + name
		}
	}
	return ""
}

// usePools returns the packages in whose tests objects came back to pools that are none
// of the standard library's.
func (u *unit) usePools(out *outcome) []string {
	sites := u.all.result.Printer.Sites
	found := map[string]bool{}
	dirs := out.log.Dirs()
	for _, p := range out.log.Processes {
		path := u.packages.tested[dirs[p]]
		for _, pool := range p.Pools {
			if path != "" && pool.Puts > 0 && !sites.StdGet(pool.Get) && !strings.HasPrefix(pool.Type, "*fmt.") {
				found[path] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// ErrOverlaid is the error of a user's overlay that the second pass cannot be
// built with: a run without that pass can.
var ErrOverlaid = errors.New("your overlay and that of the second pass")

// reusing is the line that builds for the second pass.
func (u *unit) reusing(ctx context.Context) (gotest.Line, error) {
	o, err := toolchain.PrepareReuse(ctx, toolchain.Config{
		GOROOT: u.toolchain.Root, Version: u.toolchain.Version, GOOS: u.toolchain.OS, GOARCH: u.toolchain.Arch,
		CacheDir: filepath.Join(u.cache, "toolchains"),
	})
	if err != nil {
		return gotest.Line{}, err
	}
	if path, clash := overlay.Clash(u.user, o.Replace); clash {
		return gotest.Line{}, fault.Errorf(fault.Input, "%w both replace %s: remove it from yours", ErrOverlaid, path)
	}
	both := maps.Clone(o.Replace)
	maps.Copy(both, u.user)
	name, err := u.writeOverlay(both)
	if err != nil {
		return gotest.Line{}, err
	}
	return u.plain.With("overlay", name), nil
}

// said is what failing tests printed, by package and test.
type said map[finding.Test][]byte

// passOf runs packages, or only some tests of one, with forced reuse; or with fresh objects
// in the same binaries.
func (u *unit) passOf(ctx context.Context, line gotest.Line, pkgs, names []string, fresh bool) (*outcome, said, error) {
	line = only(line, pkgs[0], names).Without("bench", "coverpkg", "cover", "covermode").With("json", "true")
	line.Packages = pkgs
	env := envReuse + "=last"
	if fresh {
		env = envReuse + "=fresh"
	}
	events := &eventReader{said: said{}}
	out, err := u.run(ctx, attempt{line: line, env: []string{env}, stdout: events})
	return out, events.said, err
}

// leftOvers looks at the tests of one package that failed in the second pass alone.
func (u *unit) leftOvers(ctx context.Context, line gotest.Line, p gotest.Package, before []string, words said) error {
	names := slices.DeleteFunc(p.Leaves(), func(name string) bool {
		return slices.ContainsFunc(before, func(b string) bool { return b == name || related(b, name) }) || u.explains(p.Path, name)
	})
	if p.TimedOut && len(names) == 0 && len(before) == 0 {
		u.all.result.note("%s did not end in time in the second pass, where each Get returns the object that was put last: give it a longer -timeout, or skip the pass with -reuse=off", p.Path)
	}
	if len(names) == 0 {
		return nil
	}
	u.say("%s failed with reused objects; running again, with reused and with fresh ones", some(names, p.Path))
	alone, err := u.sure(ctx, line, p.Path, names, names)
	if err != nil {
		return err
	}
	for _, name := range alone {
		if err := u.leftOver(ctx, p.Path, name, false, words); err != nil {
			return err
		}
	}
	rest := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(alone, n) })
	if len(rest) == 0 {
		return nil
	}
	together, err := u.sure(ctx, line, p.Path, nil, rest) // what another test has left
	if err != nil {
		return err
	}
	for _, name := range rest {
		if slices.Contains(together, name) {
			if err := u.leftOver(ctx, p.Path, name, true, words); err != nil {
				return err
			}
			continue
		}
		if err := u.plainly(ctx, p, name); err != nil {
			return err
		}
	}
	return nil
}

// plainly says of a test that failed once in the second pass whether it fails without
// poolproof too.
func (u *unit) plainly(ctx context.Context, p gotest.Package, name string) error {
	fails, err := u.failing(ctx, p, []string{name}, nil, nil)
	if err != nil {
		return err
	}
	if fails(name) {
		u.fail(p.Path, name, Genuine)
	} else {
		u.fail(p.Path, name, Unsteady)
	}
	return nil
}

// related reports whether one of two tests is a subtest of the other.
func related(a, b string) bool { return strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/") }

// sure returns those of the tests that fail again with reused objects, and pass with
// fresh ones.
func (u *unit) sure(ctx context.Context, line gotest.Line, pkg string, run, tests []string) ([]string, error) {
	reused, _, err := u.passOf(ctx, line, []string{pkg}, run, false)
	if err != nil {
		return nil, err
	}
	again := slices.DeleteFunc(slices.Clone(tests), func(n string) bool { return !failedIn(reused, pkg, n) })
	if len(again) == 0 {
		return nil, nil
	}
	fresh, _, err := u.passOf(ctx, line, []string{pkg}, run, true)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(again, func(n string) bool { return failedIn(fresh, pkg, n) }), nil
}

// failedIn reports whether a test failed in a run, or its package as a whole.
func failedIn(out *outcome, pkg, test string) bool {
	for _, p := range out.packages {
		if p.Path == pkg && p.State == gotest.Failed {
			return len(p.Tests) == 0 || slices.ContainsFunc(p.Tests, func(t string) bool { return t == test || related(t, test) })
		}
	}
	return false
}

func failedBefore(out *outcome, pkg string) []string {
	for _, p := range out.packages {
		if p.Path == pkg {
			return p.Tests
		}
	}
	return nil
}

// leftOver reports a test that fails with reused objects. whole: only together with the
// other tests of its package.
func (u *unit) leftOver(ctx context.Context, pkg, name string, whole bool, words said) error {
	test := finding.Test{Package: pkg, Name: name}
	for dir, path := range u.packages.tested {
		if path == pkg {
			test.Dir = dir
		}
	}
	r := &finding.Report{
		Kind: record.LeftOver, Severity: record.Error, Count: 1, Tests: []finding.Test{test},
		Said: excerpt(words[finding.Test{Package: pkg, Name: name}]), Whole: whole,
	}
	if err := u.explain(ctx, r, whole); err != nil {
		return err
	}
	reports := []*finding.Report{r}
	finding.Apply(u.all.directives, reports)
	if u.all.baseline != nil {
		u.all.baseline.Apply(reports, u.all.result.Printer.Sites)
	}
	u.all.reports = append(u.all.reports, reports...)
	return nil
}

// explain runs a test once more where all is watched and objects come back, to see
// which field has what was left over.
func (u *unit) explain(ctx context.Context, r *finding.Report, whole bool) error {
	t := r.Tests[0]
	names := []string{t.Name}
	if whole {
		names = nil
	}
	out, err := u.run(ctx, attempt{line: only(u.instrumented, t.Package, names), watch: &watch{mode: u.options.Mode, delay: 0, left: true}})
	if err != nil {
		return err
	}
	var best *record.Finding
	for _, p := range out.log.Processes {
		for i := range p.Findings {
			f := &p.Findings[i]
			if f.Kind == record.LeftOver && !u.all.result.Printer.Sites.StdGet(f.Get) && slices.ContainsFunc(f.Tests, func(n string) bool { return n == t.Name || related(n, t.Name) }) {
				if best == nil || f.Weight > best.Weight {
					best = f
				}
			}
		}
	}
	if best != nil {
		r.Explain(best, u.all.result.Printer.Sites)
	}
	return nil
}

// excerpt is the part of a test's output that says what went wrong.
func excerpt(output []byte) []string {
	const most = 3
	var lines []string
	for line := range strings.Lines(string(output)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "=== ") || strings.HasPrefix(line, "--- ") {
			continue
		}
		if len(lines) == most {
			break
		}
		if len(line) > 200 {
			line = line[:197] + "..."
		}
		lines = append(lines, line)
	}
	return lines
}

// eventReader keeps what tests print, of go test -json.
type eventReader struct {
	rest []byte
	said said
}

const mostSaid = 16 << 10

// Write never fails.
func (r *eventReader) Write(b []byte) (int, error) {
	r.rest = append(r.rest, b...)
	for {
		i := bytes.IndexByte(r.rest, '\n')
		if i < 0 {
			return len(b), nil
		}
		var e struct{ Action, Package, Test, Output string }
		if json.Unmarshal(r.rest[:i], &e) == nil && e.Action == "output" && e.Test != "" {
			t := finding.Test{Package: e.Package, Name: e.Test}
			if len(r.said[t]) < mostSaid {
				r.said[t] = append(r.said[t], e.Output...)
			}
		}
		r.rest = r.rest[i+1:]
	}
}
