// Package own profiles the packages' own benchmarks: from patterns of packages to
// one profile with its sites.
package own

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile/attribute"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile/collect"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/scratch"
)

// Question says which benchmarks to profile.
type Question struct {
	Patterns []string      // of packages, as ./...; a folder of any module
	Tags     string        // build tags, separated by commas
	Bench    string        // pattern of the benchmarks; "" for all
	Budget   time.Duration // for each package, its build included
	Timeout  time.Duration // of one answer of a benchmark
	CPU      bool          // take CPU profiles, too, for the bounds
	Progress progress.Reporter
}

// Answer holds the results of the benchmarks. It belongs to the caller until Close.
type Answer struct {
	Profile  *profile.Profile
	Scope    *attribute.Scope
	Packages []Package

	close func()
}

// Package says what became of one package.
type Package struct {
	Path, Dir string
	collect.Answer
	Took time.Duration
	Err  error // why nothing of it is known; nil if something is
}

// Close takes the temporary folders away, without which the toolchains of Scope
// are of no use any more.
func (a *Answer) Close() {
	if a.close != nil {
		a.close()
	}
}

// Ask profiles the benchmarks. Where ctx ends, the answer has what was measured
// until then, and the error is that of ctx. A package that fails is in the
// answer with its error; where all do, the error is that of the first.
func Ask(ctx context.Context, q Question) (*Answer, error) {
	links, remove, err := scratch.Make()
	if err != nil {
		return nil, err
	}
	a := &Answer{Profile: new(profile.Profile), Scope: new(attribute.Scope), close: remove}
	var dirs []string
	for _, pattern := range q.Patterns {
		if build.IsFolder(pattern) && !strings.Contains(pattern, "...") { // of any module
			if info, err := os.Stat(pattern); err != nil || !info.IsDir() {
				remove()
				return nil, fault.Errorf(fault.Input, "there is no folder %s", pattern)
			}
			dirs = append(dirs, pattern)
			continue
		}
		found, _, err := build.Packages(ctx, pattern, q.Tags, q.Bench, "")
		if err != nil {
			remove()
			return nil, err
		}
		dirs = append(dirs, found...)
	}
	var all []profile.Benchmark
	begin := time.Now()
	total := time.Duration(len(dirs)) * q.Budget
	for i, dir := range dirs {
		say := func(done, of int, name string) {
			// What is done took its time; what is not may take its budget.
			spent := time.Since(begin)
			q.Progress.Measure(spent, max(spent, min(total, spent+remaining(spent, i, len(dirs), done, of))), name)
		}
		q.Progress.Step(fmt.Sprintf("building %s (package %d of %d)", dir, i+1, len(dirs)))
		p, err := a.one(ctx, q, dir, links, say)
		all = append(all, p.Benchmarks...)
		a.Packages = append(a.Packages, p)
		if ctx.Err() != nil {
			break
		}
		if kind := fault.KindOf(err); err != nil && kind != fault.Code && kind != fault.Input {
			remove()
			return nil, err
		}
	}
	q.Progress.Clear()
	if len(all) == 0 {
		defer remove()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, p := range a.Packages {
			if p.Err != nil {
				return nil, p.Err
			}
		}
		return nil, fault.Errorf(fault.Input, "no benchmark could be profiled%s", a.firstLeft())
	}
	a.Profile, err = a.Scope.Benchmarks(context.WithoutCancel(ctx), all)
	if err != nil {
		remove()
		return nil, err
	}
	return a, ctx.Err()
}

// remaining is how long the rest is going to take, as the part that is done did.
func remaining(spent time.Duration, packages, allPackages, done, all int) time.Duration {
	part := (float64(packages) + float64(done)/float64(max(1, all))) / float64(allPackages)
	if part == 0 {
		return 1 << 62
	}
	return time.Duration(float64(spent)/part) - spent
}

// firstLeft says why the first benchmark was not profiled.
func (a *Answer) firstLeft() string {
	for _, p := range a.Packages {
		for _, l := range p.Left {
			return fmt.Sprintf(": %s: %s", l.Name, l.Why)
		}
	}
	return ""
}

// one profiles the benchmarks of the package in a folder.
func (a *Answer) one(ctx context.Context, q Question, dir, links string, say func(done, of int, name string)) (p Package, err error) {
	begin := time.Now()
	p = Package{Path: dir, Dir: dir}
	defer func() { p.Took, p.Err = time.Since(begin), err }()
	folder, err := filepath.Abs(dir)
	if err != nil {
		return p, err
	}
	chain, err := overlay.Find(ctx, folder, links)
	if err != nil {
		return p, err
	}
	pkg, err := duet.List(ctx, chain, folder, q.Tags)
	if err != nil {
		return p, err
	}
	p.Path, p.Dir = pkg.Path, pkg.Dir
	if err := pkg.Tested(); err != nil {
		return p, err
	}
	if err := a.Scope.Add(ctx, chain, pkg.Dir, q.Tags, "."); err != nil {
		return p, err
	}
	files, err := os.MkdirTemp(links, "find")
	if err != nil {
		return p, err
	}
	defer os.RemoveAll(files)
	p.Answer, err = collect.Benchmarks(ctx, collect.Question{
		Toolchain: chain, Package: pkg, Tags: q.Tags, Bench: q.Bench, Budget: q.Budget, Timeout: q.Timeout, Scratch: files, CPU: q.CPU, Progress: say,
	})
	if errors.Is(err, context.Canceled) && len(p.Benchmarks) > 0 {
		err = nil
	}
	return p, err
}
