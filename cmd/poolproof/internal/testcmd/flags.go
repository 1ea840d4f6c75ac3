package testcmd

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/cli"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
)

// testFlags is the command line of test: our own flags, and a line of go test.
type testFlags struct {
	mode, poison, baseline               string
	delay                                int
	reuse                                string
	delayed                              bool // -delay was given
	strict, leaks, update, sarif, github bool
	follow                               bool
	html                                 string // the file of -html; "": none

	line    gotest.Line
	verbose bool // a flag of go test that also changes what we print
}

// parseTest reads the command line. errHelp: it asked for help and was answered.
func parseTest(args []string) (*testFlags, error) {
	f := &testFlags{}
	fs := flag.NewFlagSet("test", flag.ContinueOnError)
	fs.StringVar(&f.mode, "mode", string(sanitize.Exact), "")
	fs.IntVar(&f.delay, "delay", 0, "")
	fs.StringVar(&f.poison, "poison", "auto", "")
	fs.StringVar(&f.reuse, "reuse", "on", "")
	fs.StringVar(&f.baseline, "baseline", "", "")
	fs.BoolVar(&f.update, "update-baseline", false, "")
	fs.BoolVar(&f.strict, "strict", false, "")
	fs.BoolVar(&f.leaks, "leaks", false, "")
	fs.BoolVar(&f.follow, "follow", false, "")
	fs.BoolVar(&f.sarif, "sarif", false, "")
	fs.BoolVar(&f.github, "github", false, "")
	fs.StringVar(&f.html, "html", "", "")
	var err error
	f.line, err = gotest.Parse(args, fs)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Print(Help())
		return nil, cli.ErrHelp
	}
	if err != nil {
		return nil, fault.Errorf(fault.Input, "%w; see poolproof test -h", err)
	}
	f.verbose = f.line.On("v")
	given := map[string]bool{}
	fs.Visit(func(fl *flag.Flag) { given[fl.Name] = true })
	bad := func(format string, args ...any) (*testFlags, error) {
		return nil, fault.Errorf(fault.Input, format, args...)
	}
	switch {
	case f.sarif && f.line.On("json"):
		return bad("-sarif and -json exclude each other: each prints nothing else on standard output")
	case f.poison == "on" && given["delay"]:
		return bad("-poison on does not go with -delay: programs get back the tables that they keep in pooled arrays")
	case f.update && f.baseline == "" && !given["baseline"]:
		return bad("-update-baseline needs -baseline FILE, the file to write")
	case given["baseline"] && f.baseline == "":
		return bad("-baseline needs the name of a file")
	}
	f.delayed = given["delay"]
	if err := f.pageFile(given["html"]); err != nil {
		return bad("%w", err)
	}
	return f, nil
}

// pageFile finds the file of -html, whose folder must be there before a long run begins.
func (f *testFlags) pageFile(given bool) error {
	if !given {
		return nil
	}
	if f.html == "" {
		return errors.New("-html needs the name of a file")
	}
	if dir, ok := f.line.Get("C"); ok && !filepath.IsAbs(f.html) {
		f.html = filepath.Join(dir, f.html) // as with all names after a -C
	}
	if info, err := os.Stat(f.html); err == nil && info.IsDir() {
		return fmt.Errorf("-html %s: this is a folder; name a file", f.html)
	}
	if _, err := os.Stat(filepath.Dir(f.html)); err != nil {
		return fmt.Errorf("-html %s: %w", f.html, err)
	}
	return nil
}

func (f *testFlags) options() sanitize.Options {
	flags := gotest.Line{Flags: f.line.Flags}
	o := sanitize.Options{
		Packages: f.line.Packages, Flags: flags.Args(), Binary: f.line.Binary,
		Mode: sanitize.Mode(f.mode), Poison: f.poison, Reuse: f.reuse, Strict: f.strict, Leaks: f.leaks, Follow: f.follow,
		Baseline: f.baseline, UpdateBaseline: f.update,
		Stdout: io.Writer(os.Stdout), Stderr: os.Stderr,
	}
	if f.delayed {
		o.Delay = &f.delay
	}
	if f.sarif {
		o.Stdout = os.Stderr // standard output is for SARIF
	}
	return o
}
