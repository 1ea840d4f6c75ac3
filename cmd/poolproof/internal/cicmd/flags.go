// Package cicmd is "poolproof ci": what a pull request changes, said once.
package cicmd

import (
	"flag"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/cli"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// flags is the command line of ci.
type flags struct {
	study.Question // Base, Bench, Tags, Budget and thresholds of its try
	failOn         string
	comment        bool
	job            string
	summary, sarif string
	out            string

	packages []string
}

// Values of -fail-on.
const (
	onNegative = "negative"
	onNothing  = "never"
)

// defaultBudget is the time that all of it may take.
const defaultBudget = 5 * time.Minute

func parse(args []string) (*flags, error) {
	f := &flags{Question: study.DefaultQuestion()}
	f.Kind, f.Changed, f.Budget = study.KindBase, true, defaultBudget
	fs := flag.NewFlagSet("ci", flag.ContinueOnError)
	fs.StringVar(&f.Base, "base", "", "")
	fs.StringVar(&f.Bench, "bench", "", "")
	fs.StringVar(&f.Tags, "tags", "", "")
	fs.DurationVar(&f.Budget, "budget", f.Budget, "")
	threshold := fs.String("threshold", "", "")
	fs.StringVar(&f.failOn, "fail-on", onNegative, "")
	fs.BoolVar(&f.comment, "comment", true, "")
	fs.StringVar(&f.job, "job", "ci", "")
	fs.StringVar(&f.summary, "summary", "", "")
	fs.StringVar(&f.sarif, "sarif", "", "")
	fs.StringVar(&f.out, "out", "", "")
	var err error
	if f.packages, err = cli.Parse(fs, args, func() string { return Help }); err != nil {
		return nil, err
	}
	if *threshold != "" {
		if err := f.SetThresholds(*threshold); err != nil {
			return nil, fault.Option("threshold", "", "%w", err)
		}
	}
	bad := func(format string, args ...any) (*flags, error) {
		return nil, fault.Errorf(fault.Input, format, args...)
	}
	switch {
	case f.failOn != onNegative && f.failOn != onNothing:
		return bad("-fail-on %s: it is %s or %s", f.failOn, onNegative, onNothing)
	case f.Budget < 10*time.Second:
		return bad("-budget %s: less than 10s leaves no time to measure", f.Budget)
	case f.job == "":
		return bad("-job needs a name")
	}
	if len(f.packages) == 0 {
		f.packages = []string{"./..."}
	}
	return f, nil
}

// Help is the text of "poolproof ci -h".
const Help = `poolproof ci says what a pull request does to pools and benchmarks, against the revision that it leaves.

usage:
	poolproof ci [flags] [PACKAGES]       default ./...

It runs, within one budget of time:
	vet      findings on lines that the request changes
	test     the tests of the packages that it changes, with the sanitizer
	try      the benchmarks that run code which it changes, against the base: try -base -changed

It prints a report. In a job of GitHub it also writes the summary of the job and annotations; on GitHub and GitLab
it keeps one comment of the request up to date. A request that changes nothing worth a comment gets none. Without a
token, as from a fork, the report is in the summary and the log.

what to compare:
	-base REV          the base; the request is compared with the commit where it left it (default: what the job
	                   says, else the branch that origin/HEAD names)
	-bench RE          measure only these benchmarks, as with go test -bench
	-tags LIST         build with these tags
	-threshold P       differences of time below this are NO CHANGE (default 2%); or one for each metric, as
	                   time=3%,bytes=1%,allocs=5%
	-budget D          time for all of it (default 5m): half of what vet leaves is for the tests, the rest for
	                   builds and measuring

what to do with it:
	-fail-on WHAT      negative (default): exit 1 where a benchmark is NEGATIVE or a pool is misused, 3 where
	                   something does not build or fails, 5 where a benchmark is UNSAFE; never: exit 0 for all that
	-comment=false     write no comment
	-job NAME          whose comment it is, where several jobs of a request run poolproof (default ci)
	-summary FILE      append the report to FILE (default: what GITHUB_STEP_SUMMARY names)
	-sarif DIR         write vet.sarif, test.sarif and try.sarif to DIR
	-out DIR           keep the files of the comparisons in DIR (default .poolproof/ci)

environment: GITHUB_TOKEN, with the permission pull-requests: write; on GitLab POOLPROOF_TOKEN, with the scope api.

exit codes: as above; 2 usage or environment; 130 interrupted.

examples:
	poolproof ci -base origin/main
	poolproof ci -budget 10m -threshold time=5%,bytes=1% -fail-on never ./codec/...
`
