package suite

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/results"
)

// Survey is a tool that runs the tests of published modules and keeps what came of
// each, an R.
type Survey[R any] struct {
	Copies  string // folder of the modules' copies, absolute
	Timeout time.Duration
	Modes   []Mode
	Verbose bool
	Show    bool   // run nothing: print the results that are there
	Part    string // of a name; "" is all
	Log     *results.Log[R]

	rm string
}

// Begin reads the command line of a tool, for which own adds further flags. Modes is the
// default of -modes; "": the tool has no such flag. The caller calls Close at its end.
func Begin[R any](name, modes string, args []string, own func(*flag.FlagSet)) (*Survey[R], error) {
	s := new(Survey[R])
	fs := flag.NewFlagSet(name, flag.ExitOnError)
	fs.DurationVar(&s.Timeout, "timeout", 4*time.Minute, "of the tests of one module in one run")
	fs.StringVar(&s.Copies, "copies", "", "keep the copies of the modules in this `folder`")
	file := fs.String("results", "", "keep the results in this `file`, and do not run again what is in it")
	fs.BoolVar(&s.Show, "show", false, "run nothing: print the tables of the results")
	if modes != "" {
		fs.StringVar(&modes, "modes", modes, "the modes to run")
		fs.BoolVar(&s.Verbose, "v", false, "print what the tests print")
	}
	if own != nil {
		own(fs)
	}
	fs.Parse(args)
	s.Part = fs.Arg(0)
	var err error
	if modes != "" {
		if s.Modes, err = ParseModes(modes); err != nil {
			return nil, err
		}
	}
	if s.Log, err = results.Open[R](*file); err != nil {
		return nil, err
	}
	if s.Copies == "" {
		if s.rm, err = os.MkdirTemp("", name); err != nil {
			return nil, err
		}
		s.Copies = s.rm
	}
	// The go command takes names in an overlay from its own folder on.
	s.Copies, err = filepath.Abs(s.Copies)
	return s, err
}

// Close removes copies that are not to be kept.
func (s *Survey[R]) Close() {
	if s.rm != "" {
		os.RemoveAll(s.rm)
	}
}

// Ask keeps what one returns, if there is no result yet that is like it. What cannot be
// run is a result, too, which broken makes of the error.
func (s *Survey[R]) Ask(ctx context.Context, like func(R) bool, one func() (R, error), broken func(*R, error)) error {
	if _, done := s.Log.Last(like); done {
		return nil
	}
	r, err := one()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		broken(&r, err)
	}
	return s.Log.Add(r)
}

// Complain prints why a tool could not do its work, and returns the code to exit with.
func Complain(name string, err error) int {
	fmt.Fprintln(os.Stderr, name+":", err)
	return 3
}
