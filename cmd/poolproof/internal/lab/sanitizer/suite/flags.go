package suite

import (
	"flag"
	"os"
	"path/filepath"
	"time"
)

// Flags are those of each tool that runs the tests of published modules.
type Flags struct {
	Copies  string // folder of the modules' copies, absolute
	Timeout time.Duration
	Show    bool   // run nothing: print the results that are there
	Part    string // of a name; "" is all

	results string
	rm      string
}

// Parse adds the flags to those of fs, and reads the arguments of a tool of that
// name. The caller calls Close at its end.
func (f *Flags) Parse(fs *flag.FlagSet, args []string) error {
	fs.DurationVar(&f.Timeout, "timeout", 4*time.Minute, "of the tests of one module in one run")
	fs.StringVar(&f.Copies, "copies", "", "keep the copies of the modules in this `folder`")
	fs.StringVar(&f.results, "results", "", "keep the results in this `file`, and do not run again what is in it")
	fs.BoolVar(&f.Show, "show", false, "run nothing: print the tables of the results")
	if err := fs.Parse(args); err != nil {
		return err
	}
	f.Part = fs.Arg(0)
	if f.Copies == "" {
		dir, err := os.MkdirTemp("", fs.Name())
		if err != nil {
			return err
		}
		f.Copies, f.rm = dir, dir
	}
	// The go command takes names in an overlay from its own folder on.
	var err error
	f.Copies, err = filepath.Abs(f.Copies)
	return err
}

// Close removes copies that are not to be kept.
func (f *Flags) Close() {
	if f.rm != "" {
		os.RemoveAll(f.rm)
	}
}

// Results opens the log of results that the flags name.
func Results[R any](f *Flags) (*Log[R], error) { return OpenLog[R](f.results) }
