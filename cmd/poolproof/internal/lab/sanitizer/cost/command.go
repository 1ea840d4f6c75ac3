//go:build linux

// Package cost measures what `poolproof test` costs: the CPU time and the memory of
// the same work in a plain test binary, one with the race detector, and
// those of the sanitizer's two modes and of its second pass, with reused objects; and, as the floor that these two stand on,
// in a plain binary whose pools hand nothing out again. It prints a table in
// Markdown.
//
//	cd cmd/poolproof && go run ./internal/lab cost [flags] [NAME]
//
// NAME is a part of a module's name; without one all run. All binaries are built
// before the first is measured. With -build and -dir that is a step of its own,
// and a later run with the same -dir compiles nothing, so that it can have a quiet
// machine for itself.
//
// The six binaries of a module take turns, forwards and backwards, so that what
// else happens on the machine meets all of them. Each does the same work in each
// run: a fixed number of operations.
//
// What cannot be built or run is named, and left out of the tables; it exits with
// 3 then.
package cost

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/results"
)

// Main is the tool, given its arguments. It returns the code to exit with.
func Main(ctx context.Context, args []string) int { return complain(run(ctx, args)) }

// Capture keeps a test binary in the folder args[0] before this process becomes
// that binary, args[1:]. The tool starts itself so, through the go command.
func Capture(_ context.Context, args []string) int {
	if len(args) < 2 {
		return complain(errors.New("capture is given a folder and a command"))
	}
	return complain(capture(args[0], args[1:]))
}

func complain(err error) int {
	if err == nil {
		return 0
	}
	fmt.Fprintln(os.Stderr, "cost:", err)
	return 3
}

func run(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("cost", flag.ExitOnError)
	rounds := fs.Int("rounds", 10, "rounds; each runs every binary twice")
	starts := fs.Int("starts", 40, "how often each binary is only started, twice in a round as well, to see what that takes; 0: never")
	work := fs.Duration("work", 400*time.Millisecond, "CPU time of one plain run, roughly")
	dir := fs.String("dir", "", "keep copies of modules, and binaries, in this folder, and use those that are there")
	file := fs.String("results", "", "add the measured rounds to this file, a JSON object a line, and do not measure again what is in it")
	build := fs.Bool("build", false, "only build the binaries, in the folder of -dir")
	page := fs.Bool("page", false, "measure nothing: print the table of docs/sanitizer.md from the file of -results")
	fs.Parse(args)

	l := &lab{dir: *dir, rounds: *rounds, starts: *starts, work: *work}
	if l.dir == "" {
		var err error
		if l.dir, err = os.MkdirTemp("", "cost"); err != nil {
			return err
		}
		defer os.RemoveAll(l.dir)
	}
	var err error
	if l.dir, err = filepath.Abs(l.dir); err != nil {
		return err
	}
	log, err := results.Open[*measurement](*file)
	if err != nil {
		return err
	}
	done := map[string]*measurement{}
	for _, m := range log.All {
		done[m.Subject] = m
	}
	if *page {
		printPage(os.Stdout, done)
		return nil
	}
	var sets []*binaries
	var wrong []error
	for _, s := range subjects {
		if !strings.Contains(s.String(), fs.Arg(0)) || done[s.String()] != nil {
			continue
		}
		set, err := l.build(ctx, s)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", s, err))
			continue
		}
		sets = append(sets, set)
	}
	if *build {
		return errors.Join(wrong...)
	}
	for _, set := range sets {
		m, err := l.measure(ctx, set)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", set.subject, err))
			continue
		}
		done[m.Subject] = m
		if err := log.Add(m); err != nil {
			return err
		}
	}
	print(os.Stdout, done)
	return errors.Join(wrong...)
}
