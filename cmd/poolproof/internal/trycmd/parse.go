package trycmd

import (
	"flag"
	"fmt"

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
	return f, f.check()
}
