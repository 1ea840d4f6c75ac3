// Package historycmd is "poolproof history".
package historycmd

import (
	"flag"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/cli"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

type flags struct {
	study.Question
	html        string
	bisect, out string
	first, last string // revisions of -bisect

	arg string // folder, or package
}

func parse(args []string) (*flags, error) {
	f := &flags{Question: study.DefaultQuestion()}
	f.Kind, f.Budget = study.KindBase, 10*time.Minute
	fs := flag.NewFlagSet("history", flag.ContinueOnError)
	fs.StringVar(&f.html, "html", "", "")
	fs.StringVar(&f.bisect, "bisect", "", "")
	fs.StringVar(&f.Bench, "bench", "", "")
	fs.StringVar(&f.Tags, "tags", "", "")
	fs.StringVar(&f.out, "out", "", "")
	fs.DurationVar(&f.Budget, "budget", f.Budget, "")
	fs.Uint64Var(&f.Seed, "seed", f.Seed, "")
	fs.BoolVar(&f.Layout, "layout", f.Layout, "")
	rest, err := cli.Parse(fs, args, func() string { return Help })
	if err != nil {
		return nil, err
	}
	given := map[string]bool{}
	fs.Visit(func(fl *flag.Flag) { given[fl.Name] = true })
	bad := func(format string, args ...any) (*flags, error) {
		return nil, fault.Errorf(fault.Input, format, args...)
	}
	switch {
	case len(rest) != 1 && f.bisect == "":
		return bad("name the folder of try -keep; there are %d names", len(rest))
	case len(rest) != 1:
		return bad("-bisect takes one package; there are %d names", len(rest))
	}
	f.arg = rest[0]
	if f.bisect == "" {
		for _, name := range []string{"bench", "tags", "out", "budget", "seed", "layout"} {
			if given[name] {
				return bad("-%s goes with -bisect", name)
			}
		}
		return f, nil
	}
	var ok bool
	f.first, f.last, ok = strings.Cut(f.bisect, "..")
	switch {
	case !ok || f.first == "" || f.last == "" || strings.HasPrefix(f.last, "."):
		return bad("-bisect %s: write two revisions as REV1..REV2", f.bisect)
	case f.Bench == "":
		return bad("-bisect needs -bench RE, the benchmark that changed")
	case f.html != "":
		return bad("-html does not go with -bisect")
	case f.Budget < time.Minute:
		return bad("-budget %s: a search needs 1m at least", f.Budget)
	}
	return f, nil
}

// Help is the text of "poolproof history -h".
const Help = `poolproof history tells what became of benchmarks over revisions, and finds the revision that changed one.

usage:
	poolproof history [-html FILE] DIR                          the runs that try -base REV -keep DIR has kept
	poolproof history -bisect REV1..REV2 -bench RE PACKAGE      find the revision that changed the benchmark

Runs in DIR are chained: a comparison whose base is the head of an earlier one begins where that ended. So small
steps add up, with an interval that grows. A run that was judged by another version of the rule is named and not
used. The page is one file, DIR/history.html unless -html names another.

-bisect compares REV2 with REV1, then the middle of what is left with REV1, and in the end the revision that it
found with the one before: 8 comparisons for 64 commits, each decided by the rule of try. Counts decide before
time does. Revisions that do not build are passed over.

flags of -bisect:
	-budget D       measuring time for all of it (default 10m)
	-tags LIST      build with these tags
	-layout=false   do not measure padded builds
	-seed N         seed of the coin that decides which side is measured first (default 1)
	-out DIR        keep the files of the comparisons in DIR (default .poolproof/bisect)

exit codes: 0 done; 1 -bisect found nothing, or could not confirm it; 2 usage or environment; 3 REV1 or REV2 does
not build; 130 interrupted.

examples:
	poolproof try -base HEAD~ -head HEAD -keep history ./codec && poolproof history history
	poolproof history -bisect v1.4.0..main -bench 'BenchmarkDecode$' ./codec
`
