package campaign

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
)

// Main is the tool, given its arguments. It returns the code to exit with.
//
//	go run ./internal/lab campaign -dir DIR [-budget D] [-only PREFIX] [-timeout D]
//
// It goes on where DIR stopped. The budget is that of this sitting.
func Main(ctx context.Context, args []string) int {
	var o Options
	fs := flag.NewFlagSet("campaign", flag.ExitOnError)
	fs.StringVar(&o.Dir, "dir", "", "`folder` of the campaign; what was done there stays done")
	fs.DurationVar(&o.Budget, "budget", time.Hour, "end this sitting after this time")
	fs.StringVar(&o.Only, "only", "", "do only the tasks whose names begin with this `prefix`, as aa/Loop")
	fs.DurationVar(&o.Timeout, "timeout", time.Minute, "longest time without an answer of a benchmark")
	fs.Parse(args)
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
		return exitcode.Errorf(exitcode.Usage, "-dir is missing: the folder of the campaign")
	}
	unlock, err := experiment.Lock(o.Dir, "-dir")
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
		fmt.Fprintf(os.Stderr, "campaign: %d of %d tasks are done. To go on: go run ./internal/lab campaign -dir %s -budget %s\n", s.Done, s.Tasks, o.Dir, o.Budget)
	}
	return stopped
}
