package cicmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/cli"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/forge"
)

// tell prints the report, and brings it to where the job's readers look. A forge that does not
// take the comment is no error of the request: the report is in the summary.
func (w *work) tell(ctx context.Context) error {
	text := w.report.Markdown()
	fmt.Print(text)
	if name := cmp.Or(w.summary, w.job.Summary); name != "" {
		if err := appendTo(name, text); err != nil {
			return fault.Option("summary", name, "%w", err)
		}
	}
	switch {
	case !w.comment || w.job.Host == "":
		return nil
	case w.job.Forge == nil:
		cli.Complain(fmt.Errorf("ci: no comment: %s", w.job.Why))
		return nil
	}
	done, err := forge.Keep(ctx, w.job.Forge, w.flags.job, text, w.report.Worth())
	if ctx.Err() != nil {
		return fault.Errorf(fault.Interrupted, "interrupted")
	}
	if err != nil {
		why := "the comment could not be written"
		if failed := new(forge.Error); errors.As(err, &failed) && failed.Denied() {
			why = "no comment, as for a request from a fork"
		}
		cli.Complain(fmt.Errorf("ci: %s: %w", why, err))
		return nil
	}
	fmt.Fprintf(os.Stderr, "comment: %s\n", done)
	return nil
}

// appendTo adds a text to a file, which other steps of the job write to.
func appendTo(name, text string) error {
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = io.WriteString(file, text)
	return errors.Join(err, file.Close())
}
