// Package vetrun runs the checks of package vet over packages: it starts go vet
// with poolproof as its tool, so that the go command builds what is needed and
// keeps facts and findings in its cache, and turns what comes back into findings.
package vetrun

import (
	"cmp"
	"context"
	"os"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/vet"
)

// Options say what to look at and what to report.
type Options struct {
	Tool     string   // the file name of poolproof itself
	Dir      string   // where package arguments are understood; absolute
	Packages []string // folders, import paths, patterns; none: the package in Dir
	Tags     string   // build tags, as the go command takes them
	Overlay  string   // file of texts in the place of files, as the go command's -overlay takes it; "": none

	Tier    vet.Tier               // report findings of this tier and above
	Checks  func(code string) bool // report those of these checks; nil: all
	Tests   bool                   // report findings in _test.go files
	NewFrom string                 // report findings on lines changed since this git revision; "": all

	RequireDefer []string // functions whose result must be put by a deferred call
	DropOnError  bool     // a path that returns an error may lose the object
	Generated    bool     // report findings in generated files
}

// Result holds the findings of a run.
type Result struct {
	Findings []Finding // by file, line, column and code; files are absolute
	GaveUp   []Finding // functions that are too large; no findings, but places
	Broken   []string  // what the go command says of packages that do not compile
	Failed   []string  // packages that the analysis itself could not deal with, and why
	Packages int       // how many were named by Options.Packages
	Notes    []string  // what the user should know beside
	Root     string    // the folder that reports name files from: that of the repository, else Dir
	Dir      string    // Options.Dir
	Tags     string    // Options.Tags

	own map[string]bool // folders of packages that may be changed
}

// Run analyses the packages. What is wrong with single packages is in the
// result; an error says that nothing could be done.
func Run(ctx context.Context, o Options) (*Result, error) {
	groups, err := group(ctx, o.Dir, o.Packages)
	if err != nil {
		return nil, err
	}
	if o.Overlay != "" {
		for i := range groups {
			groups[i].env = append(groups[i].env, "GOFLAGS="+os.Getenv("GOFLAGS")+" '-overlay="+o.Overlay+"'")
		}
	}
	r := &Result{own: map[string]bool{}, Root: rootOf(ctx, o.Dir), Dir: o.Dir, Tags: o.Tags}
	var all []Finding
	for _, g := range groups {
		found, err := r.analyse(ctx, o, g)
		if ctx.Err() != nil {
			return nil, fault.Errorf(fault.Interrupted, "interrupted")
		}
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	if r.Packages == 0 && len(r.Broken) == 0 {
		return nil, fault.Errorf(fault.Input, "%s", nothing(o.Packages))
	}
	r.Findings = explained(sorted(slices.DeleteFunc(all, func(f Finding) bool { return !o.wants(f) })))
	if o.NewFrom != "" {
		return r, r.onlyNew(ctx, o)
	}
	return r, nil
}

// requireDefer is the check that only runs if it is asked for.
const requireDefer = "PV020"

// wants reports whether a finding is asked for.
func (o *Options) wants(f Finding) bool {
	// Who requires defers wants to see where they are missing.
	asked := f.Code == requireDefer && len(o.RequireDefer) > 0
	return (f.Tier <= o.Tier || asked) && (o.Checks == nil || o.Checks(f.Code)) && (o.Tests || !isTest(f.File))
}

// sorted orders findings, and keeps one of each file, line and code: a file
// may be part of several packages.
func sorted(all []Finding) []Finding {
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col),
			cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message),
		)
	})
	type place struct {
		file string
		line int
		code string
	}
	seen := map[place]bool{}
	return slices.DeleteFunc(all, func(f Finding) bool {
		p := place{f.File, f.Line, f.Code}
		twice := seen[p]
		seen[p] = true
		return twice
	})
}
