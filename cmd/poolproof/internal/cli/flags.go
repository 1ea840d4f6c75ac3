package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
)

// ErrHelp says that -h was given and answered.
var ErrHelp = errors.New("help")

// Parse reads flags that may stand before, between or after the other
// arguments, as those of the go command's tools do. "--" ends the flags.
func Parse(fs *flag.FlagSet, args []string, help func() string) (rest []string, err error) {
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	if asksHelp(args) {
		fmt.Print(help())
		return nil, ErrHelp
	}
	for {
		err := fs.Parse(args)
		if err != nil {
			return nil, fault.Errorf(fault.Input, "%w; see poolproof %s -h", err, fs.Name())
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

// asksHelp finds -h wherever it stands, also after a flag that is wrong: the
// help shows how it is written.
func asksHelp(args []string) bool {
	for _, arg := range args {
		switch arg {
		case "--":
			return false
		case "-h", "-help", "--h", "--help":
			return true
		}
	}
	return false
}

// Version is that of this binary, as the go command stamped it.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "of unknown version"
	}
	return info.Main.Version
}
