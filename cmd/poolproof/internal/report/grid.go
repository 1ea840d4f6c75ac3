package report

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// grid is a table of aligned columns, two spaces apart.
type grid struct {
	head  []string
	cells [][]string
}

func (g *grid) add(cells ...string) { g.cells = append(g.cells, cells) }

// alignAt makes the parts of a column's cells before and behind the separator
// equally wide: the numbers of "9 -> 8" and "1,000 -> 900" then stand below
// each other. Cells without the separator stay as they are.
func (g *grid) alignAt(col int, sep string) {
	var left, right int
	for _, row := range g.cells {
		if a, b, ok := strings.Cut(row[col], sep); ok {
			left, right = max(left, width(a)), max(right, width(b))
		}
	}
	for _, row := range g.cells {
		if a, b, ok := strings.Cut(row[col], sep); ok {
			row[col] = spaces(left-width(a)) + a + sep + spaces(right-width(b)) + b
		}
	}
}

// alignLeft makes the part of a column's cells before the separator equally
// wide and leaves the rest ragged.
func (g *grid) alignLeft(col int, sep string) {
	var left int
	for _, row := range g.cells {
		if a, _, ok := strings.Cut(row[col], sep); ok {
			left = max(left, width(a))
		}
	}
	for _, row := range g.cells {
		if a, _, ok := strings.Cut(row[col], sep); ok {
			row[col] = spaces(left-width(a)) + row[col]
		}
	}
}

// drop removes a column.
func (g *grid) drop(col int) {
	g.head = slices.Delete(g.head, col, col+1)
	for i := range g.cells {
		g.cells[i] = slices.Delete(g.cells[i], col, col+1)
	}
}

func (g grid) widths() []int {
	w := make([]int, len(g.head))
	for _, row := range append([][]string{g.head}, g.cells...) {
		for i, c := range row {
			w[i] = max(w[i], width(c))
		}
	}
	return w
}

// width is the length of the longest line.
func (g grid) width() int {
	n := 0
	for _, w := range g.widths() {
		n += w + 2
	}
	return n - 2
}

// lines are the head and the rows, without spaces at their ends.
func (g grid) lines() []string {
	w := g.widths()
	var out []string
	for _, row := range append([][]string{g.head}, g.cells...) {
		var b strings.Builder
		for i, c := range row {
			b.WriteString(c)
			b.WriteString(spaces(w[i] + 2 - width(c)))
		}
		out = append(out, strings.TrimRight(b.String(), " "))
	}
	return out
}

func width(s string) int { return utf8.RuneCountInString(s) }

func spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }

// wrap breaks text into lines of at most the given width where it can. The
// lines after the first are indented by hang; width 0 breaks nothing.
func wrap(text string, columns int, hang string) string {
	if columns <= 0 {
		return text
	}
	var b strings.Builder
	at := 0
	text = strings.ReplaceAll(text, " %", nbsp+"%") // a number keeps its sign
	for i, word := range strings.SplitAfter(text, " ") {
		if i > 0 && at+width(strings.TrimRight(word, " ")) > columns {
			b.WriteString("\n" + hang)
			at = width(hang)
		}
		b.WriteString(word)
		at += width(word)
	}
	lines := strings.Split(b.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), nbsp, " ")
}

// nbsp is a space at which no line ends.
const nbsp = "\u00a0"
