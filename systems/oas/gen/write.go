package gen

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

func (g *generator) text(parts ...string) {
	for _, p := range parts {
		g.out = append(g.out, p...)
	}
}

// line writes parts and a line feed.
func (g *generator) line(parts ...string) {
	g.text(parts...)
	g.out = append(g.out, '\n')
}

// rows are lines whose cells gofmt aligns: a struct's fields, for instance. The
// last cell of a row is not filled up.
type rows struct {
	cells []string
	width int // cells of a row
}

func (r *rows) reset() {
	clear(r.cells)
	r.cells, r.width = r.cells[:0], 0
}

func (r *rows) add(cells ...string) {
	r.cells = append(r.cells, cells...)
	r.width = len(cells)
}

// flush writes the rows, each after a tab.
func (g *generator) flush() {
	r := &g.rows
	if r.width == 0 {
		return
	}
	var widths [4]int
	for i, cell := range r.cells {
		widths[i%r.width] = max(widths[i%r.width], utf8.RuneCountInString(cell))
	}
	for i, cell := range r.cells {
		column := i % r.width
		if column == 0 {
			g.out = append(g.out, '\t')
		}
		g.out = append(g.out, cell...)
		if column == r.width-1 {
			g.out = append(g.out, '\n')
			continue
		}
		for range widths[column] - utf8.RuneCountInString(cell) + 1 {
			g.out = append(g.out, ' ')
		}
	}
	r.reset()
}

// commentWidth is where a comment is wrapped, in characters.
const commentWidth = 96

// comment writes a comment of one paragraph. A word that gofmt might take for
// the mark of a list, a heading or a link when it begins a line does not.
func (g *generator) comment(indent, lead, text string) {
	column := len(indent) + 2
	g.text(indent, "//")
	first := true
	word := func(w string) {
		n := utf8.RuneCountInString(w)
		if !first && column+1+n > commentWidth && beginsLine(w) {
			g.text("\n", indent, "//")
			column = len(indent) + 2
		}
		first = false
		g.text(" ", w)
		column += 1 + n
	}
	for w := range strings.FieldsSeq(lead) {
		word(w)
	}
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || r == 0xfeff || r == utf8.RuneError
	}) {
		if strings.Contains(w, "``") || strings.Contains(w, "''") {
			w = strings.ReplaceAll(strings.ReplaceAll(w, "``", `"`), "''", `"`)
		}
		if w != "" {
			word(w)
		}
	}
	g.line()
}

func beginsLine(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsLetter(r)
}

// tag returns the struct tag for a key, and whether encoding/json can have it.
func tag(key, omit string) (string, bool) {
	ok := key != ""
	for _, r := range key {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) {
			ok = false
		}
	}
	switch {
	case !ok:
		return "`json:\"-\"`", false
	case omit != "":
		key += "," + omit
	case key == "-":
		key = "-,"
	}
	return "`json:" + strconv.Quote(key) + "`", true
}

func quote(s string) string { return strconv.Quote(s) }

func quotes(texts []string) string {
	quoted := make([]string, len(texts))
	for i, s := range texts {
		quoted[i] = quote(s)
	}
	return strings.Join(quoted, ", ")
}
