// Package progress tells how far a long run is: a table that is kept up to date,
// with a bar and the time left, on a terminal; plain lines elsewhere.
package progress

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// Reporter takes the news of a run. It is used by one goroutine.
type Reporter interface {
	// Step announces work of unknown length, as a build.
	Step(text string)
	// Measure says that done of at most total measuring time is spent, and on
	// what the next part goes.
	Measure(done, total time.Duration, text string)
	// Decided says in one line what became of a part of the run, as soon as it is
	// known.
	Decided(text string)
	// Table shows how all parts of the run stand, in place of the table before. A
	// Reporter that has no place for it says so by Size.
	Table(lines []string)
	// Size is the room that a table has; 0, 0 for none.
	Size() (columns, rows int)
	// Clear takes what is shown off the screen, before other output.
	Clear()
}

// New returns a Reporter on f: a bar where f is a terminal, else lines.
func New(f *os.File) Reporter {
	if term.IsTerminal(int(f.Fd())) {
		return &live{w: f, now: time.Now, size: func() (int, int) {
			columns, rows, err := term.GetSize(int(f.Fd()))
			if err != nil {
				return 0, 0
			}
			return columns, rows
		}}
	}
	return &lines{w: f, every: 10 * time.Second, now: time.Now}
}

// Quiet returns a Reporter that says nothing.
func Quiet() Reporter { return quiet{} }

type quiet struct{}

func (quiet) Step(string)                                  {}
func (quiet) Measure(time.Duration, time.Duration, string) {}
func (quiet) Decided(string)                               {}
func (quiet) Table([]string)                               {}
func (quiet) Size() (columns, rows int)                    { return 0, 0 }
func (quiet) Clear()                                       {}

// lines prints each step once, and the measuring now and then.
type lines struct {
	quiet
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

func (l *lines) Decided(text string) { fmt.Fprintln(l.w, text) }

// Part returns a Reporter for one of several runs that follow each other: what
// it says is headed by the part's name, and the measuring time is that of the
// whole, of which before may be spent when the part begins. The part's own
// total is the budget.
func Part(r Reporter, before, whole time.Duration, name string) Reporter {
	return part{r, before, whole, name}
}

type part struct {
	Reporter
	before, whole time.Duration
	name          string
}

func (p part) Step(text string) { p.Reporter.Step(p.name + ": " + text) }

func (p part) Measure(done, total time.Duration, text string) {
	p.Reporter.Measure(p.before+min(done, total), p.whole, p.name+": "+text)
}

func (p part) Decided(text string) { p.Reporter.Decided(p.name + ": " + text) }
