package term

import (
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

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
		if i > 0 && at+words.Width(strings.TrimRight(word, " ")) > columns {
			b.WriteString("\n" + hang)
			at = words.Width(hang)
		}
		b.WriteString(word)
		at += words.Width(word)
	}
	lines := strings.Split(b.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), nbsp, " ")
}

// nbsp is a space at which no line ends.
const nbsp = "\u00a0"
