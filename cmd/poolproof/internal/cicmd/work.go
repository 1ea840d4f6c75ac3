package cicmd

import (
	"fmt"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/forge"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/pull"
)

// work is one run.
type work struct {
	*flags
	job forge.Job
	request
	dir      string // where it runs
	deadline time.Time

	report   pull.Report
	measured []string // folders of the packages of report.Verdicts
	codes    []int
}

// again are the flags that shape the question.
func (w *work) again() (args []string) {
	usual := flags{}
	for _, x := range []struct {
		name, value string
		differs     bool
	}{{"bench", w.Bench, w.Bench != ""}, {"tags", w.Tags, w.Tags != ""}, {"threshold", w.Thresholds(), w.Thresholds() != usual.Thresholds()}, {"budget", w.Budget.String(), w.Budget != defaultBudget}} {
		if x.differs {
			args = append(args, "-"+x.name, x.value)
		}
	}
	return append(args, w.packages...)
}

// left is the time that remains.
func (w *work) left() time.Duration { return time.Until(w.deadline) }

func (w *work) note(format string, args ...any) {
	w.report.Notes = append(w.report.Notes, fmt.Sprintf(format, args...))
}

// broken notes what does not work.
func (w *work) broken(text string, code int) {
	w.report.Broken = append(w.report.Broken, text)
	w.codes = append(w.codes, code)
}

// code is the exit code of what was found, as far as -fail-on wants to know.
func (w *work) code() int {
	if w.failOn == onNothing {
		return exitcode.OK
	}
	return exitcode.Highest(w.codes...)
}
