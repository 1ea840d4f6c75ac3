// Package cli holds what all subcommands share: flags that may stand anywhere, errors
// in the words of the flags, interruption, and the version.
package cli

import (
	"errors"
	"fmt"
	"os"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/plan"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize"
)

// Finish prints an error of a subcommand and returns the code to exit with. An
// interruption is the user's own doing: the subcommand is not to blame.
func Finish(subcommand string, code int, err error) int {
	if errors.Is(err, ErrHelp) {
		return exitcode.OK
	}
	if err != nil && fault.KindOf(err) != fault.Interrupted {
		fmt.Fprintf(os.Stderr, "poolproof: %s%s\n", subcommand, Worded(err))
	} else {
		Complain(err)
	}
	return exitcode.Highest(code, exitcode.Of(err))
}

// Complain prints an error, if there is one, on standard error. What a
// compiler said may follow on further lines.
func Complain(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "poolproof:", Worded(err))
	}
}

// ways are the flags that lead on from an error.
var ways = []struct {
	from error
	text string
}{
	{plan.ErrNoKey, ", or ask with -base REV or -aa"},
	{build.ErrSameCommit, "; -aa shows the noise of this machine"},
	{sanitize.ErrOverlaid, ", or say -reuse=off"},
}

// Worded is the text of an error as the user of the flags reads it.
func Worded(err error) string {
	text := err.Error()
	if none, ok := err.(build.Nothing); ok {
		err = none.Err
	}
	if f, ok := err.(*fault.Error); ok && f.Option != "" {
		text = "-" + text
	}
	for _, w := range ways {
		if errors.Is(err, w.from) {
			text += w.text
		}
	}
	return text
}
