package trycmd

import (
	"flag"
	"fmt"
	"regexp"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/cli"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// parseTry reads the command line of try and refuses what makes no sense.
// errHelp: it asked for help and was answered.
func parseTry(args []string) (*tryFlags, error) {
	f := &tryFlags{Question: study.DefaultQuestion(), given: map[string]bool{}}
	fs := flag.NewFlagSet("try", flag.ContinueOnError)
	eachOption(func(o tryOption) { o.bind(fs, f, o.name) })
	var err error
	if f.args, err = cli.Parse(fs, args, Help); err != nil {
		return nil, fmt.Errorf("try: %w", err)
	}
	fs.Visit(func(fl *flag.Flag) { f.given[fl.Name] = true })
	if f.unpool {
		f.takePool()
	}
	return f, f.check()
}

// poolPlace is the place of a pool among the arguments.
var poolPlace = regexp.MustCompile(`\.go:\d+(:\d+)?$`)

// takePool takes the place of the one pool that is asked about from the arguments.
// Without a package all are meant.
func (f *tryFlags) takePool() {
	if len(f.args) > 0 && poolPlace.MatchString(f.args[0]) {
		f.Pool, f.args = f.args[0], f.args[1:]
	}
	if len(f.args) == 0 {
		f.args = []string{"./..."}
	}
}
