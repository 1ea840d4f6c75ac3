package progress

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
)

// refresh is how often the screen changes at most.
const refresh = 100 * time.Millisecond

// live rewrites a table and a bar below it in place.
type live struct {
	w     io.Writer
	now   func() time.Time
	size  func() (columns, rows int)
	b     *progressbar.ProgressBar
	total time.Duration
	table []string
	shown int // lines on the screen
	last  time.Time
}

func (l *live) Step(text string) {
	l.Clear()
	fmt.Fprintln(l.w, text)
}

func (l *live) Measure(done, total time.Duration, text string) {
	if l.b == nil || total != l.total {
		l.total = total
		l.b = progressbar.NewOptions64(int64(total),
			progressbar.OptionSetWriter(io.Discard), // its line is drawn below the table
			progressbar.OptionSetWidth(24),
			progressbar.OptionSetElapsedTime(false),
			progressbar.OptionSetPredictTime(false),
		)
	}
	l.b.Describe(fmt.Sprintf("%s, at most %s left", text, max(0, total-done).Round(time.Second)))
	l.b.Set64(int64(min(done, total)))
	l.draw()
}

// Decided shows nothing: the table has it.
func (l *live) Decided(string) {}

func (l *live) Table(lines []string) {
	l.table = lines
	l.draw()
}

// Size leaves the bar a line, and the shell's prompt one.
func (l *live) Size() (columns, rows int) {
	columns, rows = l.size()
	return max(0, columns-1), max(0, rows-2)
}

// draw replaces what is on the screen, unless it was drawn a moment ago.
func (l *live) draw() {
	now := l.now()
	if l.shown > 0 && now.Sub(l.last) < refresh {
		return
	}
	l.last = now
	columns, rows := l.Size()
	lines := l.table
	if len(lines) > rows {
		lines = lines[:rows]
	}
	if l.b != nil {
		lines = append(lines[:len(lines):len(lines)], strings.TrimLeft(strings.TrimSpace(l.b.String()), "\r"))
	}
	var b strings.Builder
	b.WriteString(l.back())
	for _, line := range lines {
		b.WriteString(cut(line, columns) + "\n")
	}
	io.WriteString(l.w, b.String())
	l.shown = len(lines)
}

// back moves to the first line that is shown, and clears from there.
func (l *live) back() string {
	if l.shown == 0 {
		return ""
	}
	return fmt.Sprintf("\r\x1b[%dA\x1b[J", l.shown)
}

// cut keeps a line from being broken: a line more on the screen would not be
// cleared.
func cut(line string, columns int) string {
	if runes := []rune(line); columns > 0 && len(runes) > columns {
		return string(runes[:columns])
	}
	return line
}

func (l *live) Clear() {
	io.WriteString(l.w, l.back())
	l.shown, l.b, l.table = 0, nil, nil
}
