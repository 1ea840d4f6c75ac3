package vetcmd

import (
	"flag"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/cli"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/vetrun"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/vetunit"
	"github.com/poolproof/poolproof/cmd/poolproof/vet"
)

// vetFlags is the command line of vet.
type vetFlags struct {
	tier                                         vet.Tier
	explain, checks, requireDefer, newFrom, tags string
	fix, diff, json, sarif, github               bool
	dropOnError, generated, tests, verbose       bool

	args  []string        // without flags
	given map[string]bool // names of the flags that were there
}

// parseVet reads the command line of vet and refuses what makes no sense.
// errHelp: it asked for help and was answered.
func parseVet(args []string) (*vetFlags, error) {
	f := &vetFlags{tier: vet.Warning, given: map[string]bool{}}
	fs := flag.NewFlagSet("vet", flag.ContinueOnError)
	fs.Var(&f.tier, vetunit.Tier, "")
	fs.StringVar(&f.explain, "explain", "", "")
	fs.StringVar(&f.checks, "checks", "", "")
	fs.StringVar(&f.requireDefer, vetunit.RequireDefer, "", "")
	fs.BoolVar(&f.dropOnError, vetunit.DropOnError, false, "")
	fs.BoolVar(&f.generated, vetunit.Generated, false, "")
	fs.StringVar(&f.newFrom, "new-from", "", "")
	fs.StringVar(&f.tags, "tags", "", "")
	fs.BoolVar(&f.fix, "fix", false, "")
	fs.BoolVar(&f.diff, "diff", false, "")
	fs.BoolVar(&f.json, "json", false, "")
	fs.BoolVar(&f.sarif, "sarif", false, "")
	fs.BoolVar(&f.github, "github", false, "")
	fs.BoolVar(&f.tests, "tests", true, "")
	fs.BoolVar(&f.verbose, "v", false, "")
	var err error
	if f.args, err = cli.Parse(fs, args, func() string { return Help }); err != nil {
		return nil, err
	}
	fs.Visit(func(fl *flag.Flag) { f.given[fl.Name] = true })
	return f, f.check()
}

// check refuses what makes no sense together.
func (f *vetFlags) check() error {
	bad := func(format string, args ...any) error {
		return fault.Errorf(fault.Input, format, args...)
	}
	for _, name := range []string{"explain", "checks", vetunit.RequireDefer, "new-from"} {
		if f.given[name] && f.value(name) == "" {
			return bad("-%s needs a value", name)
		}
	}
	forms := 0
	for _, on := range []bool{f.json, f.sarif, f.github, f.diff} {
		if on {
			forms++
		}
	}
	switch {
	case f.given["explain"] && (len(f.args) > 0 || len(f.given) > 1):
		return bad("-explain takes nothing beside the check")
	case forms > 1:
		return bad("-json, -sarif, -github and -diff exclude each other: each is all that is printed")
	}
	return nil
}

func (f *vetFlags) value(name string) string {
	return map[string]string{"explain": f.explain, "checks": f.checks, vetunit.RequireDefer: f.requireDefer, "new-from": f.newFrom}[name]
}

// options are those of the analysis.
func (f *vetFlags) options(tool, dir string) (vetrun.Options, error) {
	o := vetrun.Options{
		Tool: tool, Dir: dir, Packages: f.args, Tags: f.tags,
		Tier: f.tier, Tests: f.tests, NewFrom: f.newFrom, DropOnError: f.dropOnError, Generated: f.generated,
	}
	var err error
	if o.RequireDefer, err = list(vetunit.RequireDefer, f.requireDefer); err != nil {
		return o, err
	}
	checks, err := list("checks", f.checks)
	if err != nil {
		return o, err
	}
	if o.Checks, err = vet.Selection(checks); err != nil {
		return o, fault.Option("checks", f.checks, "%w", err)
	}
	return o, nil
}

// list reads a flag of names with commas between.
func list(flag, value string) (names []string, err error) {
	if value == "" {
		return nil, nil
	}
	for name := range strings.SplitSeq(value, ",") {
		if name = strings.TrimSpace(name); name == "" {
			return nil, fault.Option(flag, value, "one of the names is empty; write names with commas between them")
		}
		names = append(names, name)
	}
	return names, nil
}
