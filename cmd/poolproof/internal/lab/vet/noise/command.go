package noise

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus/variant"
)

type options struct {
	scratch    string
	list       string
	record     string
	limit      time.Duration
	cold, seed bool
	verbose    bool
	modules    []Module
}

// Main is the tool, given its arguments. It returns the code to exit with.
//
//	go run ./internal/lab noise -scratch DIR [-list TIERS] [-seed] [MODULE...]
//
// Without a module it looks at the first fourteen, and std; "later" stands for
// those that were looked at after these. The scratch folder keeps the code of the
// modules. -cold makes the analysis start without the facts of earlier runs, as a
// new version of the command does, and so measures their cost. -seed puts defects
// into the modules and measures how many are found. The code is 1 if a report of
// the error tier is not among the judged ones.
func Main(ctx context.Context, args []string) int {
	var o options
	fs := flag.NewFlagSet("noise", flag.ExitOnError)
	fs.StringVar(&o.scratch, "scratch", "", "`folder` for the code of the modules, kept for the next run")
	fs.StringVar(&o.list, "list", "", "list reports of these `tiers`, separated by commas")
	fs.StringVar(&o.record, "record", "", "append what is found to this `file`, without what is in it already; with -scratch none, print the file")
	fs.DurationVar(&o.limit, "limit", 15*time.Minute, "with -record, how long a module may take")
	fs.BoolVar(&o.cold, "cold", false, "forget the facts of earlier runs")
	fs.BoolVar(&o.seed, "seed", false, "seed defects")
	fs.BoolVar(&o.verbose, "v", false, "print reports with their text, failures and missed seeds on standard error")
	fs.Parse(args)
	code, err := run(ctx, o, fs.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "noise:", err)
		code = 2
	}
	return code
}

func run(ctx context.Context, o options, names []string) (int, error) {
	if o.scratch == "" {
		return 2, fmt.Errorf("-scratch is missing: the folder for the code of the modules")
	}
	if o.scratch == "none" && o.record != "" {
		return printRecord(o)
	}
	for _, n := range names {
		if n == "later" {
			o.modules = append(o.modules, Later...)
			continue
		}
		if n == "everyday" {
			o.modules = append(o.modules, Everyday...)
			continue
		}
		if draw, ok := Draws[n]; ok {
			o.modules = append(o.modules, draw...)
			continue
		}
		m, err := Named(n)
		if err != nil {
			return 2, err
		}
		o.modules = append(o.modules, m)
	}
	if len(names) == 0 {
		o.modules = append(append(o.modules, Modules...), Std)
	}
	if err := os.MkdirAll(o.scratch, 0o777); err != nil {
		return 2, err
	}
	build := corpus.Build
	if o.cold {
		build = corpus.BuildCold
	}
	tool, err := build(ctx, o.scratch)
	if err != nil {
		return 2, err
	}
	if o.seed {
		return 0, seedAll(ctx, tool, o)
	}
	if o.record != "" {
		return 0, Record(ctx, tool, o.modules, o.scratch, o.record, o.limit)
	}
	return report(ctx, tool, o)
}

// printRecord prints the tables of a recorded run, with what was judged since.
func printRecord(o options) (int, error) {
	reviews, err := LoadReviews()
	if err != nil {
		return 2, err
	}
	all, err := ReadRecord(o.record, reviews)
	if err != nil {
		return 2, err
	}
	if o.list != "" {
		List(os.Stdout, all, strings.Split(o.list, ",")...)
	} else {
		Table(os.Stdout, all)
	}
	return 0, nil
}

func report(ctx context.Context, tool corpus.Tool, o options) (int, error) {
	reviews, err := LoadReviews()
	if err != nil {
		return 2, err
	}
	var all []Measurement
	code := 0
	for _, m := range o.modules {
		t, err := Fetch(ctx, m, o.scratch)
		if err != nil {
			return 2, err
		}
		r, err := Measure(ctx, tool, t, reviews)
		if err != nil {
			return 2, err
		}
		all = append(all, r)
		if o.verbose {
			details(r)
		}
		for _, f := range r.Unread() {
			code = 1
			fmt.Fprintf(os.Stderr, "not judged: %s %s:%d:%d: %s: %s\n", m.Name, f.File, f.Line, f.Col, f.Code, f.Message)
		}
		for _, s := range r.Stale {
			fmt.Fprintf(os.Stderr, "judged, and no longer reported: %s %s:%d: %s (%s)\n", m.Name, s.File, s.Line, s.Code, s.Judgement)
		}
	}
	if o.list != "" {
		List(os.Stdout, all, strings.Split(o.list, ",")...)
	} else {
		Table(os.Stdout, all)
	}
	return code, nil
}

func details(m Measurement) {
	for _, f := range m.Findings {
		fmt.Fprintf(os.Stderr, "%s %s:%d:%d: %s (%s) %s\n", m.Name, f.File, f.Line, f.Col, f.Code, f.Tier, f.Message)
	}
	for _, f := range m.Failures {
		fmt.Fprintf(os.Stderr, "%s: not analysed: %s\n", m.Name, f)
	}
}

func seedAll(ctx context.Context, tool corpus.Tool, o options) error {
	var all []Recall
	for _, m := range o.modules {
		if m.Path == "" {
			continue // its packages cannot be copied and changed one by one
		}
		t, err := Fetch(ctx, m, o.scratch)
		if err != nil {
			return err
		}
		seeds, err := Seeds(ctx, t)
		if err != nil {
			return err
		}
		before, err := tool.Vet(ctx, t.Dir, t.Patterns...)
		if err != nil {
			return err
		}
		r, err := MeasureSeeds(ctx, tool, t, seeds, before.Reports)
		if err != nil {
			return err
		}
		all = append(all, r...)
	}
	seedTable(all, o.verbose)
	return nil
}

func seedTable(all []Recall, verbose bool) {
	fmt.Println("| defect that was seeded | modules | seeds | found |")
	fmt.Println("|---|---|---|---|")
	seeds, found := 0, 0
	for _, t := range variant.Seeds() {
		modules, n, hit := 0, 0, 0
		for _, r := range all {
			if r.Way != t.Name {
				continue
			}
			modules++
			n += r.Found + len(r.Missed)
			hit += r.Found
			for _, s := range r.Missed {
				if verbose {
					fmt.Fprintf(os.Stderr, "missed %s %s in %s %s:%d\n", s.Way, r.Module.Name, s.Func, s.File, s.First)
				}
			}
		}
		fmt.Printf("| %s | %d | %d | %d |\n", t.Doc, modules, n, hit)
		seeds += n
		found += hit
	}
	fmt.Printf("| all | | %d | %d |\n", seeds, found)
}
