package words

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Grid is a table of aligned columns, two spaces apart.
type Grid struct {
	Head  []string
	Cells [][]string
}

// Add adds a row.
func (g *Grid) Add(cells ...string) { g.Cells = append(g.Cells, cells) }

// AlignAt makes the parts of a column's cells before and after the separator
// equally wide: the numbers of "9 -> 8" and "1,000 -> 900" then stand below
// each other. Cells without the separator stay as they are.
func (g *Grid) AlignAt(col int, sep string) {
	var left, right int
	for _, row := range g.Cells {
		if a, b, ok := strings.Cut(row[col], sep); ok {
			left, right = max(left, Width(a)), max(right, Width(b))
		}
	}
	for _, row := range g.Cells {
		if a, b, ok := strings.Cut(row[col], sep); ok {
			row[col] = spaces(left-Width(a)) + a + sep + spaces(right-Width(b)) + b
		}
	}
}

// AlignLeft makes the part of a column's cells before the separator equally
// wide and leaves the rest ragged.
func (g *Grid) AlignLeft(col int, sep string) {
	var left int
	for _, row := range g.Cells {
		if a, _, ok := strings.Cut(row[col], sep); ok {
			left = max(left, Width(a))
		}
	}
	for _, row := range g.Cells {
		if a, _, ok := strings.Cut(row[col], sep); ok {
			row[col] = spaces(left-Width(a)) + row[col]
		}
	}
}

// Drop removes a column.
func (g *Grid) Drop(col int) {
	g.Head = slices.Delete(g.Head, col, col+1)
	for i := range g.Cells {
		g.Cells[i] = slices.Delete(g.Cells[i], col, col+1)
	}
}

func (g Grid) widths() []int {
	w := make([]int, len(g.Head))
	for _, row := range append([][]string{g.Head}, g.Cells...) {
		for i, c := range row {
			w[i] = max(w[i], Width(c))
		}
	}
	return w
}

// Width is the length of the longest line.
func (g Grid) Width() int {
	n := 0
	for _, w := range g.widths() {
		n += w + 2
	}
	return n - 2
}

// Lines are the head and the rows, without spaces at their ends.
func (g Grid) Lines() []string {
	w := g.widths()
	var out []string
	for _, row := range append([][]string{g.Head}, g.Cells...) {
		var b strings.Builder
		for i, c := range row {
			b.WriteString(c)
			b.WriteString(spaces(w[i] + 2 - Width(c)))
		}
		out = append(out, strings.TrimRight(b.String(), " "))
	}
	return out
}

// Width is the number of columns that a text takes.
func Width(s string) int { return utf8.RuneCountInString(s) }

func spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }
