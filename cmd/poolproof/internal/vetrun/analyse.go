package vetrun

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/vetunit"
	"github.com/poolproof/poolproof/cmd/poolproof/vet"
)

// analyse runs go vet over the sound packages of a group and returns all that
// was found there. The rest goes into the result.
func (r *Result) analyse(ctx context.Context, o Options, g packages) ([]Finding, error) {
	sound, broken, notes, err := list(ctx, g, o.Tags)
	if err != nil {
		return nil, err
	}
	r.Broken = append(r.Broken, broken...)
	r.Notes = append(r.Notes, notes...)
	r.Packages += len(sound)
	if len(sound) == 0 {
		return nil, nil
	}
	patterns := g.Patterns
	if len(broken) > 0 {
		patterns = nil
		for _, p := range sound {
			patterns = append(patterns, p.ImportPath)
		}
	}
	for _, p := range sound {
		if p.Module == nil || p.Module.Main {
			r.own[p.Dir] = true
		}
	}
	out, ended, err := vetWithout(ctx, o, g, patterns)
	if ctx.Err() != nil || fault.KindOf(err) != fault.Other {
		return nil, err
	}
	for _, e := range ended {
		r.fail(e.path + " ended: " + e.reason)
	}
	trees, words := split(out.stdout + "\n" + out.stderr)
	said := diagnostics(words)
	if err != nil && len(said) == 0 {
		said = []string{fmt.Sprintf("go vet: %v", err)}
	}
	if err != nil {
		if older := slices.IndexFunc(said, func(s string) bool { return strings.Contains(s, "requires newer Go version") }); older >= 0 {
			return nil, fault.Errorf(fault.Tools, "%s: build poolproof with that Go, for it must understand the code", said[older])
		}
		all, err := compileErrors(ctx, g, o.Tags, sound, said)
		if err != nil {
			return nil, err
		}
		r.Broken = append(r.Broken, all...)
	}
	var all []Finding
	for _, tree := range trees {
		p, err := parse(tree, named(sound))
		if err != nil {
			return nil, fault.Errorf(fault.Tools, "what go vet printed cannot be read: %w", err)
		}
		all = append(all, p.findings...)
		r.GaveUp = append(r.GaveUp, p.gaveUp...)
		for _, f := range p.failed {
			r.fail(f)
		}
	}
	return all, nil
}

// named returns a function that reports whether what go vet calls id is one of the packages,
// or its external tests. A package that has tests of its own is analysed with them: what is
// said of it as a dependency, without them, may differ.
func named(packages []listed) func(id string) bool {
	is := map[string]bool{}
	for _, p := range packages {
		is[p.ImportPath] = true
		is[p.ImportPath+"_test"] = is[p.ImportPath+"_test"] || len(p.XTestGoFiles) > 0
		is[p.ImportPath+vetunit.Dependency] = len(p.TestGoFiles) == 0
	}
	return func(id string) bool {
		path, test, ok := strings.Cut(strings.TrimSuffix(id, ".test]"), " [")
		return is[id] || ok && strings.TrimSuffix(path, "_test") == test && is[path] // "p [p.test]", as go list calls it
	}
}

// fail notes a package that the analysis could not deal with, unless it is noted already:
// each package that imports it says so, with its tests and without.
func (r *Result) fail(what string) {
	path, _, _ := strings.Cut(what, " ")
	if !slices.ContainsFunc(r.Failed, func(f string) bool { return strings.HasPrefix(f, strings.TrimSuffix(path, ":")) }) {
		r.Failed = append(r.Failed, what)
	}
}

// ended is a package on which the process of the analysis ended, and what it said.
type ended struct{ path, reason string }

// vetWithout runs go vet. If the process of a package ends in a way that it cannot recover
// from, as when its stack overflows, go vet does not start those of the packages that import
// it; so it runs again without that package.
func vetWithout(ctx context.Context, o Options, g packages, patterns []string) (out output, all []ended, err error) {
	for {
		args := o.command(patterns)
		if len(all) > 0 {
			var paths []string
			for _, e := range all {
				paths = append(paths, e.path)
			}
			args = slices.Insert(args, slices.Index(args, "--"), "-"+vetunit.Without+"="+strings.Join(paths, ","))
		}
		out, err = goCommand(ctx, g.Dir, g.env, args...)
		if err == nil || ctx.Err() != nil || len(all) > maxEnded {
			return out, all, err
		}
		before := len(all)
		for _, e := range crashes(out.stderr) {
			if !slices.ContainsFunc(all, func(old ended) bool { return old.path == e.path }) {
				all = append(all, e)
			}
		}
		if len(all) == before {
			return out, all, err
		}
	}
}

// maxEnded is on how many packages the process may end before go vet's own words are shown.
const maxEnded = 8

// crashes returns the packages under whose heading the go command printed a fatal error of
// the Go runtime.
func crashes(stderr string) (all []ended) {
	path := ""
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		if heading, ok := strings.CutPrefix(line, "# "); ok {
			path, _, _ = strings.Cut(strings.Trim(heading, "[]"), " ")
		}
		if reason, ok := strings.CutPrefix(line, "fatal error: "); ok && path != "" {
			all = append(all, ended{strings.TrimSuffix(path, "_test"), reason})
			path = ""
		}
	}
	return all
}

// command is the command line of go vet. The analysis reports all tiers, and
// so is the same, and cached, whatever is reported in the end.
func (o *Options) command(patterns []string) []string {
	args := []string{"vet", "-vettool=" + o.Tool, "-json", "-" + vetunit.Tier + "=" + vet.Audit.String(), "-" + vetunit.Everything}
	if len(o.RequireDefer) > 0 {
		args = append(args, "-"+vetunit.RequireDefer+"="+strings.Join(o.RequireDefer, ","))
	}
	if o.DropOnError {
		args = append(args, "-"+vetunit.DropOnError)
	}
	if o.Generated {
		args = append(args, "-"+vetunit.Generated)
	}
	if o.Tags != "" {
		args = append(args, "-tags="+o.Tags)
	}
	return append(append(args, "--"), patterns...)
}

func isTest(file string) bool { return strings.HasSuffix(filepath.Base(file), "_test.go") }
