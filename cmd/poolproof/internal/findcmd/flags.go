package findcmd

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/cli"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
)

// findFlags is the command line of find.
type findFlags struct {
	profiles        []string // files and addresses; empty: the packages' benchmarks
	bench, tags     string
	out, pprof      string
	top             int
	why, json       bool
	lifetimes       bool
	budget, timeout time.Duration

	args  []string        // without flags
	given map[string]bool // names of the flags that were there
}

// parseFind reads the command line and refuses what makes no sense.
// cli.ErrHelp: it asked for help and was answered.
func parseFind(args []string) (*findFlags, error) {
	f := &findFlags{given: map[string]bool{}}
	fs := flag.NewFlagSet("find", flag.ContinueOnError)
	fs.Func("profile", "", func(s string) error {
		if s == "" {
			return errors.New("name a file or an address")
		}
		f.profiles = append(f.profiles, s)
		return nil
	})
	fs.StringVar(&f.bench, "bench", "", "")
	fs.StringVar(&f.tags, "tags", "", "")
	fs.StringVar(&f.out, "out", "", "")
	fs.StringVar(&f.pprof, "pprof", "", "")
	fs.IntVar(&f.top, "top", 10, "")
	fs.BoolVar(&f.why, "why", false, "")
	fs.BoolVar(&f.lifetimes, "lifetimes", true, "")
	fs.BoolVar(&f.json, "json", false, "")
	fs.DurationVar(&f.budget, "budget", 3*time.Minute, "")
	fs.DurationVar(&f.timeout, "timeout", time.Minute, "")
	var err error
	if f.args, err = cli.Parse(fs, args, func() string { return help }); err != nil {
		return nil, err
	}
	fs.Visit(func(fl *flag.Flag) { f.given[fl.Name] = true })
	return f, f.check()
}

// Help returns the text of -h.
func Help() string { return help }

// check refuses what makes no sense together.
func (f *findFlags) check() error {
	if len(f.profiles) > 0 {
		for _, name := range []string{"bench", "budget", "lifetimes"} {
			if f.given[name] {
				return bad("-%s is about benchmarks: it does not go with -profile", name)
			}
		}
		f.profiles = append(f.profiles, f.args...)
	} else if len(f.args) == 0 {
		f.args = []string{"./..."}
	}
	for _, o := range []struct{ name, value string }{{"bench", f.bench}, {"out", f.out}, {"pprof", f.pprof}} {
		if f.given[o.name] && o.value == "" {
			return bad("-%s needs a value", o.name)
		}
	}
	switch {
	case f.budget <= 0:
		return bad("-budget %s: it must be positive", f.budget)
	case f.timeout <= 0:
		return bad("-timeout %s: it must be positive", f.timeout)
	case f.top < 0:
		return bad("-top %d: it must not be negative; 0 is all", f.top)
	}
	if _, err := regexp.Compile(f.bench); err != nil {
		return bad("-bench %s is not a regular expression: %w", f.bench, err)
	}
	if f.pprof != "" { // before minutes of measuring
		if info, err := os.Stat(filepath.Dir(f.pprof)); err != nil || !info.IsDir() {
			return bad("-pprof %s: there is no folder %s", f.pprof, filepath.Dir(f.pprof))
		}
	}
	return nil
}

// bad is an error in the command line.
func bad(format string, args ...any) error {
	return fault.Errorf(fault.Input, "%w", fmt.Errorf(format, args...))
}
