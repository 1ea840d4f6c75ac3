package main

import (
	"flag"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// tryFlags is the command line of try.
type tryFlags struct {
	vary, baseline, base, head, bench, matrix, clock, tags, out, resume, index string
	threshold                                                                  percent
	aa, dryRun, update, json, strict, verbose, layout, sanitize                bool
	budget, timeout                                                            time.Duration
	seed                                                                       uint64

	args  []string        // without flags
	given map[string]bool // names of the flags that were there
}

// parseTry reads the command line of try and refuses what makes no sense.
// errHelp: it asked for help and was answered.
func parseTry(args []string) (*tryFlags, error) {
	f := &tryFlags{given: map[string]bool{}}
	fs := flag.NewFlagSet("try", flag.ContinueOnError)
	fs.StringVar(&f.vary, "vary", "", "")
	fs.StringVar(&f.baseline, "baseline", "", "")
	fs.StringVar(&f.base, "base", "", "")
	fs.StringVar(&f.head, "head", "", "")
	fs.StringVar(&f.bench, "bench", "", "")
	fs.StringVar(&f.matrix, "matrix", "", "")
	fs.StringVar(&f.clock, "clock", "auto", "")
	fs.StringVar(&f.tags, "tags", "", "")
	fs.StringVar(&f.out, "out", "", "")
	fs.StringVar(&f.resume, "resume", "", "")
	fs.StringVar(&f.index, "index", "", "")
	fs.Var(&f.threshold, "threshold", "")
	fs.BoolVar(&f.aa, "aa", false, "")
	fs.BoolVar(&f.dryRun, "dry-run", false, "")
	fs.BoolVar(&f.update, "update", false, "")
	fs.BoolVar(&f.json, "json", false, "")
	fs.BoolVar(&f.strict, "strict", false, "")
	fs.BoolVar(&f.verbose, "v", false, "")
	fs.BoolVar(&f.layout, "layout", true, "")
	fs.BoolVar(&f.sanitize, "sanitize", true, "")
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

// alone lists, for the modes that bring their own question, the other flags
// that mean something there.
var alone = map[string][]string{
	"resume": {"budget", "json", "strict", "timeout", "update", "v"},
	"index":  {},
}

// check refuses what makes no sense together.
func (f *tryFlags) check() error {
	bad := func(format string, args ...any) error {
		return exitcode.Errorf(exitcode.Usage, "try: "+format, args...)
	}
	var modes []string
	for _, name := range []string{"vary", "aa", "base", "resume", "index"} {
		if f.given[name] && (name != "aa" || f.aa) {
			modes = append(modes, name)
		}
	}
	if len(modes) > 1 {
		return bad("-vary, -aa, -base, -resume and -index exclude each other")
	}
	for _, fl := range []struct{ name, value string }{
		{"vary", f.vary}, {"base", f.base}, {"head", f.head}, {"resume", f.resume}, {"index", f.index}, {"out", f.out}, {"bench", f.bench},
	} {
		if f.given[fl.name] && fl.value == "" {
			return bad("-%s needs a value", fl.name)
		}
	}
	for _, mode := range modes {
		if err := f.onlyWith(mode, bad); err != nil {
			return err
		}
	}
	switch {
	case f.budget <= 0:
		return bad("-budget %s: it must be positive", f.budget)
	case f.timeout <= 0:
		return bad("-timeout %s: it must be positive", f.timeout)
	case f.clock != "auto" && f.clock != "wall" && f.clock != "cpu":
		return bad("-clock %s: it is wall, cpu or auto", f.clock)
	case strings.ContainsAny(f.vary, "=/ "):
		return bad("-vary %s: name the KEY alone, of the KEY=value parts", f.vary)
	case f.vary != "" && len(f.args) != 1:
		return bad("-vary needs one package, it got %d", len(f.args))
	case f.vary != "" && f.bench == "":
		return bad("-vary needs -bench RE, as -bench .")
	case f.base != "" && len(f.args) != 1:
		return bad("-base needs one package, it got %d", len(f.args))
	case f.aa && len(f.args) > 1:
		return bad("-aa takes one package at most, it got %d", len(f.args))
	case len(modes) == 0 && len(f.args) == 0:
		return bad("name a study folder, or ask with -vary, -base or -aa; see poolproof try -h")
	case f.baseline != "" && f.vary == "":
		return bad("-baseline goes with -vary")
	case f.head != "" && f.base == "":
		return bad("-head goes with -base")
	case f.bench != "" && f.vary == "" && !f.aa && f.base == "":
		return bad("-bench goes with -vary, -base or -aa; a study names its benchmarks")
	case f.update && (f.vary != "" || f.aa || f.base != ""):
		return bad("-update goes with studies: only they have a committed VERDICT.md")
	case f.update && f.dryRun:
		return bad("-update needs a measurement: it does not go with -dry-run")
	}
	return nil
}

// onlyWith refuses packages, and flags that would be without effect, beside a
// mode that brings its own question.
func (f *tryFlags) onlyWith(mode string, bad func(string, ...any) error) error {
	fits, ok := alone[mode]
	if !ok {
		return nil
	}
	if len(f.args) > 0 {
		return bad("-%s takes no package, it got %s", mode, f.args[0])
	}
	// In the order of names, for the same message every time.
	for _, name := range slices.Sorted(maps.Keys(f.given)) {
		if name != mode && len(fits) == 0 {
			return bad("-%s does not go with -%s", name, mode)
		}
		if name != mode && !slices.Contains(fits, name) {
			return bad("-%s does not go with -%s: it goes with -%s", name, mode, strings.Join(fits, ", -"))
		}
	}
	return nil
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
	add("base", f.base)
	add("head", f.head)
	add("bench", f.bench)
	add("matrix", f.matrix)
	add("budget", f.budget.String())
	add("threshold", f.threshold.String())
	add("clock", f.clock)
	add("tags", f.tags)
	add("timeout", f.timeout.String())
	add("seed", strconv.FormatUint(f.seed, 10))
	if !f.sanitize {
		c = append(c, "-sanitize=false")
	}
	if !f.layout {
		c = append(c, "-layout=false")
	}
	if strings.HasPrefix(path, "-") {
		c = append(c, "--")
	}
	if path != "" {
		c = append(c, path)
	}
	return c
}

// percent is a flag value such as 2%.
type percent float64

func (p *percent) String() string { return strconv.FormatFloat(float64(*p)*100, 'g', -1, 64) + "%" }

func (p *percent) Set(s string) error {
	v, err := study.Threshold(s)
	*p = percent(v)
	return err
}
