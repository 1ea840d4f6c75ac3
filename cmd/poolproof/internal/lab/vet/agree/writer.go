package agree

import (
	"fmt"
	"strings"
)

// writer prints a program, and keeps the statement of each line.
type writer struct {
	p     *Program
	text  strings.Builder
	line  int
	depth int
	lines map[int]*Stmt
	nest  []*Stmt // those around that a break may leave
}

// say prints lines. N stands for the program's number, T for the type of the objects.
func (w *writer) say(s *Stmt, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	text = strings.NewReplacer("{N}", fmt.Sprint(w.p.Number), "{T}", "*"+w.p.Kind.elem(w.p.Number)).Replace(text)
	for l := range strings.SplitSeq(text, "\n") {
		if l != "" {
			w.text.WriteString(strings.Repeat("\t", w.depth))
		}
		w.text.WriteString(l + "\n")
		w.lines[w.line] = s
		w.line++
	}
}
