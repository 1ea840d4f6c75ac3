package campaign

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
)

// Main is the tool, given its arguments. It returns the code to exit with.
//
//	go run ./internal/lab campaign -dir DIR [-short | -whole DRAW] [-budget D] [-only PREFIX] [-timeout D]
//	go run ./internal/lab campaign -dir DIR -print
//	go run ./internal/lab campaign -dir DIR -page FILE
//	go run ./internal/lab campaign -dir DIR -judge OTHER
//
// It goes on where DIR stopped. The budget is that of this sitting. With -print it
// measures nothing and prints the tables of what is in DIR, on any machine; -page
// puts them into a page, and -judge judges the launches of -whole by today's rule,
// into a folder of its own.
func Main(ctx context.Context, args []string) int {
	o := Options{Size: Full}
	short, print, page, judge := false, false, "", ""
	fs := flag.NewFlagSet("campaign", flag.ExitOnError)
	fs.StringVar(&o.Dir, "dir", "", "`folder` of the campaign; what was done there stays done")
	fs.DurationVar(&o.Budget, "budget", time.Hour, "end this sitting after this time")
	fs.StringVar(&o.Only, "only", "", "do only the tasks whose names begin with this `prefix`, as aa/Loop")
	fs.DurationVar(&o.Timeout, "timeout", time.Minute, "longest time without an answer of a benchmark")
	fs.BoolVar(&short, "short", false, "fewer repetitions, and no busy neighbours: about half an hour")
	fs.Func("whole", "ask about whole costs, with the answers of long runs: the `draw` first (rare work, parallel work, code layout, bad input: about 20 minutes), clocks, or garbage", func(name string) error {
		o.Whole = draw(name)
		if !slices.Contains(allDraws, o.Whole) {
			return fmt.Errorf("the draws are %v", allDraws)
		}
		return nil
	})
	fs.BoolVar(&print, "print", false, "print the tables of the results in -dir, which may be of another machine; measure nothing")
	fs.StringVar(&page, "page", "", "put the tables of the results in -dir into this `file`, as internal/lab/records/campaign.md; measure nothing")
	fs.StringVar(&judge, "judge", "", "judge the launches of -whole in -dir again, by the rule of this program, and put the results into this `folder`; measure nothing")
	fs.Parse(args)
	if short {
		o.Size = Short
	}
	if print || page != "" {
		s, err := Print(o.Dir)
		switch {
		case err != nil:
		case page != "":
			err = s.into(page)
		default:
			err = s.Markdown(os.Stdout)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "campaign:", err)
		}
		return exitcode.Of(err)
	}
	if judge != "" {
		err := Judge(o.Dir, judge)
		if err != nil {
			fmt.Fprintln(os.Stderr, "campaign:", err)
		}
		return exitcode.Of(err)
	}
	o.Progress = progress.New(os.Stderr)
	err := sit(ctx, o)
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "campaign: interrupted; finished tasks are kept")
		return exitcode.Interrupted
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "campaign:", err)
	}
	return exitcode.Of(err)
}

// sit does one sitting, alone in its folder, and prints the summary.
func sit(ctx context.Context, o Options) error {
	if o.Dir == "" {
		return fault.Errorf(fault.Input, "-dir is missing: the folder of the campaign")
	}
	unlock, err := experiment.Lock(o.Dir, "dir")
	if err != nil {
		return err
	}
	defer unlock()
	s, stopped := Run(ctx, o)
	if stopped != nil && !errors.Is(stopped, context.Canceled) {
		return stopped
	}
	if err := s.Markdown(os.Stdout); err != nil {
		return err
	}
	if s.Done < s.Tasks {
		fmt.Fprintf(os.Stderr, "campaign: %d of %d tasks are done. To go on: go run ./internal/lab campaign -dir %s -budget %s%s\n", s.Done, s.Tasks, o.Dir, o.Budget, setFlag(o))
	}
	return stopped
}

// setFlag returns the flag that selects the tasks.
func setFlag(o Options) string {
	switch {
	case o.Whole != "":
		return " -whole " + string(o.Whole)
	case o.Size == Short:
		return " -short"
	}
	return ""
}
