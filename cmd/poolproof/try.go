package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/builtin"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/report"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

const tryHelp = `poolproof try: does reuse pay? An experiment with a verdict.

usage:
	poolproof try [flags] STUDY...                  study folders (with a study.toml), or DIR/... for all below
	poolproof try -vary KEY -bench RE [flags] PACKAGE
	poolproof try -aa [-bench RE] [flags] [PACKAGE]
	poolproof try -resume DIR [flags]
	poolproof try -campaign DIR [flags]

A PACKAGE is a folder, also of another module, or an import path. Flags may stand before or after it.

what to ask:
	-vary KEY         arms are the KEY=value parts of benchmark names
	-baseline VALUE   the value that the others are compared with (default the first)
	-aa               every benchmark against itself: the noise floor of this machine;
	                  without PACKAGE, benchmarks that poolproof brings
	-bench RE         which benchmarks, as for go test -bench
	-matrix CELLS     one verdict a cell, as 'GOGC=100,off GOMAXPROCS=1,2'
	-campaign DIR     prove the rule itself again: hundreds of comparisons whose answer is known;
	                  goes on where DIR stopped
	-only PREFIX      of a campaign, only the tasks of that name, as aa/Loop

how much and how:
	-budget D         measuring time, builds not counted (default 3m; -campaign: of this sitting)
	-threshold P      practical equality, as 2% (default 2%, or the study's)
	-clock C          wall, cpu or auto (default auto: cpu for parallel code or a busy machine)
	-timeout D        longest time without an answer of a benchmark (default 1m)
	-tags LIST        build tags
	-layout=false     do not confirm time-only verdicts on shifted builds
	-seed N           of the coins that choose which side goes first (default 1)
	-dry-run          print the plan and measure nothing

what comes out:
	-out DIR          where files go (default .poolproof/NAME): plan.json, records.jsonl,
	                  verdict.json, VERDICT.md, bench.txt
	-resume DIR       go on with a stopped run
	-update           write a study's VERDICT.md beside its study.toml too
	-json             print verdict.json in place of the table
	-strict           exit 4 where a verdict is INCONCLUSIVE, or INVALID unexpectedly
	-v                say what was decided as it goes

examples:
	poolproof try ./studies/flatmap-slices
	poolproof try -vary slices -bench BenchmarkPipeline ./studies/flatmap-slices
	poolproof try -aa -bench . encoding/json
	poolproof try -resume .poolproof/flatmap-slices
`

// tryFlags is the command line of try.
type tryFlags struct {
	vary, baseline, bench, matrix, campaign, only, clock, tags, out, resume string
	threshold                                                         percent
	aa, dryRun, update, json, strict, verbose, layout                 bool
	budget, timeout                                                   time.Duration
	seed                                                              uint64
	args                                                              []string // without flags
	given                                                             map[string]bool
}

func parseTry(args []string) (*tryFlags, error) {
	f := &tryFlags{given: map[string]bool{}}
	fs := flag.NewFlagSet("try", flag.ContinueOnError)
	fs.StringVar(&f.vary, "vary", "", "")
	fs.StringVar(&f.baseline, "baseline", "", "")
	fs.StringVar(&f.bench, "bench", "", "")
	fs.StringVar(&f.matrix, "matrix", "", "")
	fs.StringVar(&f.campaign, "campaign", "", "")
	fs.StringVar(&f.only, "only", "", "")
	fs.StringVar(&f.clock, "clock", "auto", "")
	fs.StringVar(&f.tags, "tags", "", "")
	fs.StringVar(&f.out, "out", "", "")
	fs.StringVar(&f.resume, "resume", "", "")
	fs.Var(&f.threshold, "threshold", "")
	fs.BoolVar(&f.aa, "aa", false, "")
	fs.BoolVar(&f.dryRun, "dry-run", false, "")
	fs.BoolVar(&f.update, "update", false, "")
	fs.BoolVar(&f.json, "json", false, "")
	fs.BoolVar(&f.strict, "strict", false, "")
	fs.BoolVar(&f.verbose, "v", false, "")
	fs.BoolVar(&f.layout, "layout", true, "")
	fs.DurationVar(&f.budget, "budget", 3*time.Minute, "")
	fs.DurationVar(&f.timeout, "timeout", time.Minute, "")
	fs.Uint64Var(&f.seed, "seed", 1, "")
	var err error
	if f.args, err = parse(fs, args, func() string { return tryHelp }); err != nil {
		return nil, err
	}
	fs.Visit(func(fl *flag.Flag) { f.given[fl.Name] = true })
	return f, f.check()
}

// check refuses what makes no sense together.
func (f *tryFlags) check() error {
	bad := func(format string, args ...any) error {
		return exitcode.Errorf(exitcode.Usage, "try: "+format, args...)
	}
	modes := 0
	for _, on := range []bool{f.vary != "", f.aa, f.campaign != "", f.resume != ""} {
		if on {
			modes++
		}
	}
	switch {
	case modes > 1:
		return bad("-vary, -aa, -campaign and -resume exclude each other")
	case f.budget <= 0:
		return bad("-budget %s: it must be positive", f.budget)
	case f.timeout <= 0:
		return bad("-timeout %s: it must be positive", f.timeout)
	case f.clock != "auto" && f.clock != "wall" && f.clock != "cpu":
		return bad("-clock %s: it is wall, cpu or auto", f.clock)
	case f.vary != "" && len(f.args) != 1:
		return bad("-vary needs one package, it got %d", len(f.args))
	case f.vary != "" && f.bench == "":
		return bad("-vary needs -bench RE, as -bench .")
	case f.aa && len(f.args) > 1:
		return bad("-aa takes one package at most, it got %d", len(f.args))
	case f.resume != "" && len(f.args) > 0:
		return bad("-resume takes no package: %s holds the plan", f.resume)
	case f.campaign != "" && len(f.args) > 0:
		return bad("-campaign takes no package")
	case modes == 0 && len(f.args) == 0:
		return bad("name a study folder, or ask with -vary or -aa; see poolproof try -h")
	case f.baseline != "" && f.vary == "":
		return bad("-baseline goes with -vary")
	case f.bench != "" && f.vary == "" && !f.aa:
		return bad("-bench goes with -vary or -aa; a study names its benchmarks")
	case f.resume != "" && f.out != "":
		return bad("-out does not go with -resume: the run stays in its folder")
	}
	return nil
}

// try is the subcommand.
func try(ctx context.Context, args []string) (int, error) {
	f, err := parseTry(args)
	if errors.Is(err, errHelp) {
		return exitcode.OK, nil
	}
	if err != nil {
		return exitcode.Usage, err
	}
	if f.campaign != "" {
		return tryCampaign(ctx, f)
	}
	if f.resume != "" {
		return tryResume(ctx, f)
	}
	targets, err := f.targets()
	if err != nil {
		return exitcode.Usage, err
	}
	code := exitcode.OK
	for _, o := range targets {
		c, err := tryOne(ctx, f, o)
		code = exitcode.Highest(code, c, exitcode.Of(err))
		if errors.Is(err, context.Canceled) {
			return code, err
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "poolproof:", err)
		}
	}
	return code, nil
}

// tryOne answers one question.
func tryOne(ctx context.Context, f *tryFlags, o experiment.Options) (int, error) {
	if o.Path == "" {
		dir, err := os.MkdirTemp("", "poolproof")
		if err != nil {
			return exitcode.Usage, err
		}
		defer os.RemoveAll(dir)
		if err := builtin.Extract(dir); err != nil {
			return exitcode.Usage, err
		}
		o.Path = dir
	}
	if f.dryRun {
		p, err := experiment.Plan(ctx, o)
		o.Progress.Clear()
		if err != nil {
			return exitcode.Usage, canceled(err)
		}
		if f.json {
			return exitcode.OK, printJSON(p)
		}
		return exitcode.OK, report.PlanText(os.Stdout, p)
	}
	out, err := experiment.Run(ctx, o)
	o.Progress.Clear()
	for _, n := range out.Notices {
		fmt.Fprintln(os.Stderr, "poolproof:", n)
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		return exitcode.Of(err), err
	}
	if err != nil && out.Verdict.Plan.Schema == 0 {
		fmt.Fprintln(os.Stderr, "poolproof: interrupted before anything was measured")
		return exitcode.Interrupted, context.Canceled
	}
	if err := show(f, o, out); err != nil {
		return exitcode.Usage, err
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "poolproof: interrupted; %d launches are kept. To go on: poolproof try -resume %s\n", len(out.Records), o.Out)
		return exitcode.Interrupted, context.Canceled
	}
	if f.update && o.Kind == study.KindStudy {
		name := filepath.Join(o.Path, "VERDICT.md")
		if err := experiment.WriteNote(name, out.Verdict); err != nil {
			return exitcode.Usage, err
		}
		fmt.Fprintln(os.Stderr, "wrote", name)
	}
	return codeOf(out.Verdict, f.strict), nil
}

// show prints what was found.
func show(f *tryFlags, o experiment.Options, out experiment.Outcome) error {
	if f.json {
		return printJSON(out.Verdict)
	}
	var err error
	if o.Kind == study.KindAA {
		err = report.NoiseFloor(os.Stdout, out.Verdict)
	} else {
		width := 120
		if w, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && w > 0 {
			width = w
		}
		err = report.Table(os.Stdout, out.Verdict, width)
	}
	fmt.Fprintf(os.Stdout, "\nfiles: %s\n", o.Out)
	return err
}

func printJSON(v any) error {
	e := json.NewEncoder(os.Stdout)
	e.SetIndent("", "\t")
	return e.Encode(v)
}

func canceled(err error) error {
	if errors.Is(err, context.Canceled) {
		return context.Canceled
	}
	return err
}

// targets makes the options of each question that the arguments ask.
func (f *tryFlags) targets() ([]experiment.Options, error) {
	switch {
	case f.vary != "":
		return []experiment.Options{f.options(study.KindVary, f.args[0], nameOf(f.args[0])+"-"+f.vary)}, nil
	case f.aa && len(f.args) == 0:
		return []experiment.Options{f.options(study.KindAA, "", "aa")}, nil
	case f.aa:
		return []experiment.Options{f.options(study.KindAA, f.args[0], nameOf(f.args[0])+"-aa")}, nil
	}
	var list []experiment.Options
	for _, arg := range f.args {
		dirs, err := studies(arg)
		if err != nil {
			return nil, err
		}
		for _, dir := range dirs {
			list = append(list, f.options(study.KindStudy, dir, nameOf(dir)))
		}
	}
	if len(list) > 1 && f.out != "" {
		for i := range list {
			list[i].Out = filepath.Join(f.out, nameOf(list[i].Path))
		}
	}
	return list, nil
}

// studies returns the study folders that an argument names.
func studies(arg string) ([]string, error) {
	root, all := strings.CutSuffix(arg, "/...")
	if !all {
		if _, err := os.Stat(filepath.Join(arg, "study.toml")); err != nil {
			if info, err := os.Stat(arg); err == nil && !info.IsDir() && filepath.Base(arg) == "study.toml" {
				return []string{filepath.Dir(arg)}, nil
			}
			return nil, exitcode.Errorf(exitcode.Usage, "%s holds no study.toml; for a package without one ask with -vary KEY -bench RE, or -aa", arg)
		}
		return []string{arg}, nil
	}
	var dirs []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != root) {
			return fs.SkipDir
		}
		if d.Name() == "study.toml" {
			dirs = append(dirs, filepath.Dir(path))
		}
		return nil
	})
	if err != nil {
		return nil, exitcode.Errorf(exitcode.Usage, "%s: %w", arg, err)
	}
	if len(dirs) == 0 {
		return nil, exitcode.Errorf(exitcode.Usage, "%s: no study.toml below it", arg)
	}
	return dirs, nil
}

// nameOf is the name of an argument's folder in .poolproof.
func nameOf(arg string) string {
	abs, err := filepath.Abs(arg)
	if err != nil {
		return filepath.Base(arg)
	}
	return filepath.Base(abs)
}

func (f *tryFlags) options(kind study.Kind, path, name string) experiment.Options {
	o := experiment.Options{
		Kind: kind, Path: path, Key: f.vary, Baseline: f.baseline, Bench: f.bench, Out: f.out,
		Budget: f.budget, Threshold: float64(f.threshold), Clock: f.clock, Matrix: f.matrix, Tags: f.tags,
		Timeout: f.timeout, Seed: f.seed, Layout: f.layout, Command: f.command(kind, path),
		Progress: progress.New(os.Stderr),
	}
	if f.json && !f.verbose {
		o.Progress = progress.Quiet()
	}
	if o.Out == "" {
		o.Out = filepath.Join(".poolproof", name)
	}
	return o
}

// command is the command line that asks the same question again.
func (f *tryFlags) command(kind study.Kind, path string) []string {
	c := []string{"poolproof", "try"}
	add := func(name, value string) {
		if f.given[name] {
			c = append(c, "-"+name, value)
		}
	}
	add("vary", f.vary)
	if kind == study.KindAA {
		c = append(c, "-aa")
	}
	add("baseline", f.baseline)
	add("bench", f.bench)
	add("matrix", f.matrix)
	add("budget", f.budget.String())
	add("threshold", f.threshold.String())
	add("clock", f.clock)
	add("tags", f.tags)
	add("timeout", f.timeout.String())
	add("seed", strconv.FormatUint(f.seed, 10))
	if !f.layout {
		c = append(c, "-layout=false")
	}
	if path != "" {
		c = append(c, path)
	}
	return c
}

// tryResume goes on with the run in a folder: the plan knows its question.
func tryResume(ctx context.Context, f *tryFlags) (int, error) {
	p, err := study.ReadPlan(filepath.Join(f.resume, "plan.json"))
	if err != nil {
		return exitcode.Usage, fmt.Errorf("-resume %s: %w", f.resume, err)
	}
	if len(p.Command) < 2 {
		return exitcode.Usage, exitcode.Errorf(exitcode.Usage, "-resume %s: its plan has no command", f.resume)
	}
	asked, err := parseTry(p.Command[2:])
	if err != nil {
		return exitcode.Usage, fmt.Errorf("-resume %s: its plan's command: %w", f.resume, err)
	}
	if f.given["budget"] {
		asked.budget = f.budget
	}
	asked.json, asked.strict, asked.update, asked.verbose = f.json, f.strict, f.update, f.verbose
	targets, err := asked.targets()
	if err != nil {
		return exitcode.Usage, err
	}
	if len(targets) != 1 {
		return exitcode.Usage, exitcode.Errorf(exitcode.Usage, "-resume %s: its plan's command asks %d questions", f.resume, len(targets))
	}
	o := targets[0]
	o.Out, o.Resume = f.resume, true
	return tryOne(ctx, asked, o)
}

// percent is a flag value such as 2%.
type percent float64

func (p *percent) String() string { return strconv.FormatFloat(float64(*p)*100, 'g', -1, 64) + "%" }

func (p *percent) Set(s string) error {
	v, err := study.Threshold(s)
	*p = percent(v)
	return err
}
