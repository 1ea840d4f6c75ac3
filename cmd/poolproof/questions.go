package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// questions makes the options of each question that the arguments ask.
func (f *tryFlags) questions() ([]experiment.Options, error) {
	switch {
	case f.vary != "":
		return []experiment.Options{f.options(study.KindVary, f.args[0], nameOf(f.args[0])+"-"+f.vary)}, nil
	case f.base != "":
		return []experiment.Options{f.options(study.KindBase, f.args[0], nameOf(f.args[0])+"-base")}, nil
	case f.aa && len(f.args) == 0:
		return []experiment.Options{f.options(study.KindAA, "", "aa")}, nil
	case f.aa:
		return []experiment.Options{f.options(study.KindAA, f.args[0], nameOf(f.args[0])+"-aa")}, nil
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
		o := f.options(study.KindStudy, dirs[i], name)
		if f.out != "" && len(dirs) > 1 {
			o.Out = filepath.Join(f.out, name)
		}
		list = append(list, o)
	}
	return list, nil
}

// studies returns the study folders that an argument names.
func studies(arg string) ([]string, error) {
	if root, all := strings.CutSuffix(arg, "/..."); all {
		return studiesBelow(root)
	}
	if arg == "..." {
		return studiesBelow(".")
	}
	info, err := os.Stat(arg)
	switch {
	case err != nil:
		return nil, exitcode.Errorf(exitcode.Usage, "%s: no such study folder; for a package without a study ask with -vary KEY -bench RE, -base REV, or -aa", arg)
	case !info.IsDir() && filepath.Base(arg) == study.FileName:
		return []string{filepath.Dir(arg)}, nil
	}
	if _, err := os.Stat(filepath.Join(arg, study.FileName)); err != nil {
		return nil, exitcode.Errorf(exitcode.Usage, "%s holds no %s; for a package without one ask with -vary KEY -bench RE, -base REV, or -aa", arg, study.FileName)
	}
	return []string{arg}, nil
}

// studiesBelow finds all study folders in and below root. Like the go command
// it passes over testdata and names that begin with a dot or an underscore.
func studiesBelow(root string) ([]string, error) {
	var dirs []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && path != root && (name == "testdata" || name[0] == '.' || name[0] == '_') {
			return fs.SkipDir
		}
		if d.Name() == study.FileName {
			dirs = append(dirs, filepath.Dir(path))
		}
		return nil
	})
	if err != nil {
		return nil, exitcode.Errorf(exitcode.Usage, "%s/...: %w", root, err)
	}
	if len(dirs) == 0 {
		return nil, exitcode.Errorf(exitcode.Usage, "%s/...: there is no %s below it", root, study.FileName)
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

// options are the choices of one question, whose files go to the folder of
// that name unless the user named another.
func (f *tryFlags) options(kind study.Kind, path, name string) experiment.Options {
	o := experiment.Options{
		Kind: kind, Path: path, Key: f.vary, Baseline: f.baseline, Base: f.base, Head: f.head, Bench: f.bench, Out: f.out,
		Budget: f.budget, Threshold: float64(f.threshold), Clock: f.clock, Matrix: f.matrix, Tags: f.tags,
		Timeout: f.timeout, Seed: f.seed, Layout: f.layout, Sanitize: f.sanitize, Command: f.command(kind, path),
		Verbose: f.verbose, Progress: progress.New(os.Stderr),
	}
	if f.json && !f.verbose {
		o.Progress = progress.Quiet()
	}
	if o.Out == "" {
		o.Out = filepath.Join(experiment.Results, name)
	}
	return o
}
