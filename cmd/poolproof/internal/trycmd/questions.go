package trycmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/committed"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// questions makes the options of each question that the arguments ask.
func (f *tryFlags) questions(ctx context.Context) ([]experiment.Options, error) {
	if f.Kind != study.KindStudy {
		return f.packageQuestions(ctx)
	}
	var dirs []string
	for _, arg := range f.args {
		found, err := studies(arg)
		if err != nil {
			return nil, err
		}
		for _, dir := range found {
			if dir = filepath.Clean(dir); !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
	}
	var list []experiment.Options
	for i, name := range namesOf(dirs) {
		list = append(list, f.options(f.of(dirs[i]), f.folder(name, len(dirs))))
	}
	return list, nil
}

// packageQuestions asks the same of each package that the argument names. The packages
// of a pattern share the budget by how many benchmarks they have.
func (f *tryFlags) packageQuestions(ctx context.Context) ([]experiment.Options, error) {
	if len(f.args) == 0 {
		return []experiment.Options{f.options(f.of(""), f.folder("aa", 1))}, nil
	}
	suffix := "-" + string(f.Kind)
	if f.Kind == study.KindVary {
		suffix = "-" + f.Key
	}
	if f.Kind == study.KindSite {
		begun := time.Now()
		q, err := f.measured(ctx)
		if err != nil {
			return nil, err
		}
		o := f.options(q, f.folder(nameOf(q.Path)+suffix, 1))
		if f.mode == modeBest {
			o.Until = begun.Add(q.Budget)
		}
		return []experiment.Options{o}, nil
	}
	if !strings.Contains(f.args[0], "...") {
		return []experiment.Options{f.options(f.of(f.args[0]), f.folder(nameOf(f.args[0])+suffix, 1))}, nil
	}
	dirs, functions, err := build.Packages(ctx, f.args[0], f.Tags, f.Bench, f.FromTest)
	if err != nil && f.Kind == study.KindUnpool && f.FromTest == "" && fault.KindOf(err) == fault.Input {
		err = fmt.Errorf("%w; -from-test . runs tests in their place", err)
	}
	if err != nil {
		return nil, err
	}
	all := 0
	for _, n := range functions {
		all += n
	}
	var list []experiment.Options
	for i, name := range namesOf(dirs) {
		q := f.of(dirs[i])
		q.Budget = max(least, (f.Budget * time.Duration(functions[i]) / time.Duration(all)).Round(100*time.Millisecond))
		list = append(list, f.options(q, f.folder(name+suffix, len(dirs))))
	}
	return list, nil
}

// least is the smallest share of a budget that a package gets: less decides
// nothing.
const least = 2 * time.Second

// of is the question about a study or a package.
func (f *tryFlags) of(path string) study.Question {
	q := f.Question
	q.Path = path
	return q
}

// folder is where the files of one of several questions go.
func (f *tryFlags) folder(name string, of int) string {
	switch {
	case f.out == "" && f.shards != nil:
		return filepath.Join(ask.Results, fmt.Sprintf("%s-%d-of-%d", name, f.shards.Index, f.shards.Of))
	case f.out == "":
		return filepath.Join(ask.Results, name)
	case of > 1:
		return filepath.Join(f.out, name)
	}
	return f.out
}

// studies returns the study folders that an argument names.
func studies(arg string) ([]string, error) {
	if arg == "..." {
		arg = "./..."
	}
	if root, all := strings.CutSuffix(arg, "/..."); all {
		dirs, err := studiesBelow(root)
		if errors.Is(err, errNoStudy) {
			err = fmt.Errorf("%w; for packages without one ask with -vary KEY -bench RE, -base REV, or -aa", err)
		}
		return dirs, err
	}
	info, err := os.Stat(arg)
	switch {
	case err != nil:
		return nil, fault.Errorf(fault.Input, "%s: no such study folder; for a package without a study ask with -vary KEY -bench RE, -base REV, or -aa", arg)
	case !info.IsDir() && filepath.Base(arg) == study.FileName:
		return []string{filepath.Dir(arg)}, nil
	}
	if _, err := os.Stat(filepath.Join(arg, study.FileName)); err != nil {
		return nil, fault.Errorf(fault.Input, "%s holds no %s; for a package without one ask with -vary KEY -bench RE, -base REV, or -aa", arg, study.FileName)
	}
	return []string{arg}, nil
}

// errNoStudy says that a folder and those below it hold no study.
var errNoStudy = errors.New("there is no " + study.FileName + " below it")

// studiesBelow finds all study folders in and below root. Like the go command
// it passes over testdata and names that begin with a dot or an underscore.
func studiesBelow(root string) ([]string, error) {
	dirs, err := committed.Folders(root)
	if err != nil {
		return nil, fault.Errorf(fault.Input, "%s/...: %w", root, err)
	}
	if len(dirs) == 0 {
		return nil, fault.Errorf(fault.Input, "%s/...: %w", root, errNoStudy)
	}
	return dirs, nil
}

// nameOf is the name of an argument's folder among the results.
func nameOf(arg string) string {
	abs, err := filepath.Abs(arg)
	if err != nil {
		return filepath.Base(arg)
	}
	return filepath.Base(abs)
}

// namesOf gives each folder a name among the results: the last part of its
// path, or all of it where folders share that.
func namesOf(dirs []string) []string {
	times := map[string]int{}
	for _, dir := range dirs {
		times[nameOf(dir)]++
	}
	names := make([]string, len(dirs))
	for i, dir := range dirs {
		names[i] = nameOf(dir)
		if times[names[i]] > 1 {
			parts := strings.FieldsFunc(filepath.ToSlash(dir), func(r rune) bool { return r == '/' })
			parts = slices.DeleteFunc(parts, func(p string) bool { return p == ".." || p == "." })
			names[i] = strings.Join(parts, "-")
		}
	}
	return names
}

// options are a question and what is to be done with its answer, whose files go
// to out.
func (f *tryFlags) options(q study.Question, out string) experiment.Options {
	o := experiment.Options{Question: q, Out: out, Shard: f.shards, Verbose: f.verbose, Progress: progress.New(os.Stderr), Show: Shown}
	if f.json && !f.verbose {
		o.Progress = progress.Quiet()
	}
	return o
}
