// Package progress tells how far a long run is: a bar with the time left on a
// terminal, plain lines elsewhere.
package progress

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Reporter takes the news of a run. It is used by one goroutine.
type Reporter interface {
	// Step announces work of unknown length, as a build.
	Step(text string)
	// Measure says that done of at most total measuring time is spent, and on
	// what the next part goes.
	Measure(done, total time.Duration, text string)
	// Clear takes what is shown off the screen, before other output.
	Clear()
}

// New returns a Reporter on f: a bar where f is a terminal, else lines.
func New(f *os.File) Reporter {
	if term.IsTerminal(int(f.Fd())) {
		return &bar{w: f}
	}
	return &lines{w: f, every: 10 * time.Second, now: time.Now}
}

// Quiet returns a Reporter that says nothing.
func Quiet() Reporter { return quiet{} }

type quiet struct{}

func (quiet) Step(string)                                  {}
func (quiet) Measure(time.Duration, time.Duration, string) {}
func (quiet) Clear()                                       {}

// lines prints each step once, and the measuring now and then.
type lines struct {
	w     io.Writer
	every time.Duration
	now   func() time.Time
	last  time.Time
}

func (l *lines) Step(text string) { fmt.Fprintln(l.w, text) }

func (l *lines) Measure(done, total time.Duration, text string) {
	if !l.last.IsZero() && l.now().Sub(l.last) < l.every {
		return
	}
	l.last = l.now()
	fmt.Fprintf(l.w, "measuring: %s of at most %s, %s\n", done.Round(time.Second), total.Round(time.Second), text)
}

func (l *lines) Clear() {}

// bar draws a line that is rewritten in place.
type bar struct {
	w     io.Writer
	b     *progressbar.ProgressBar
	total time.Duration
}

func (b *bar) Step(text string) {
	b.Clear()
	fmt.Fprintln(b.w, text)
}

func (b *bar) Measure(done, total time.Duration, text string) {
	if b.b == nil || total != b.total {
		b.total = total
		b.b = progressbar.NewOptions64(int64(total),
			progressbar.OptionSetWriter(b.w),
			progressbar.OptionSetWidth(24),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionSetElapsedTime(false),
			progressbar.OptionSetPredictTime(false),
			progressbar.OptionUseANSICodes(true),
		)
	}
	b.b.Describe(fmt.Sprintf("%s, at most %s left", text, max(0, total-done).Round(time.Second)))
	b.b.Set64(int64(min(done, total)))
}

func (b *bar) Clear() {
	if b.b != nil {
		b.b.Clear()
		b.b = nil
	}
}
