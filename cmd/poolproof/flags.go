package main

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
)

// errHelp says that -h was given and answered.
var errHelp = errors.New("help")

// parse reads flags that may stand before, between or after the other
// arguments, as those of the go command's tools do. "--" ends the flags.
func parse(fs *flag.FlagSet, args []string, help func() string) (rest []string, err error) {
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	for {
		err := fs.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			fmt.Print(help())
			return nil, errHelp
		}
		if err != nil {
			return nil, exitcode.Errorf(exitcode.Usage, "%s: %w; see poolproof %s -h", fs.Name(), err, fs.Name())
		}
		if ended := len(args) - fs.NArg(); ended > 0 && args[ended-1] == "--" {
			return append(rest, fs.Args()...), nil
		}
		if fs.NArg() == 0 {
			return rest, nil
		}
		rest = append(rest, fs.Arg(0))
		args = fs.Args()[1:]
	}
}
