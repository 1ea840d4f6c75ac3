package note

import (
	"fmt"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// note is a Markdown text in the making.
type note struct {
	strings.Builder
	v     study.VerdictFile
	now   Versions
	study study.File // zero without a study file
	rows  []words.Row
	cells bool // there are several

	earlier []study.Earlier
}

func (n *note) printf(format string, args ...any) { fmt.Fprintf(n, format+"\n", args...) }

func (n *note) heading(s string) { n.printf("## %s\n", s) }

// prose writes a section of the study's own text, if it has any.
func (n *note) prose(heading, text string) bool {
	text = strings.TrimSpace(text)
	if text == "" {
		return false
	}
	n.heading(heading)
	n.printf("%s\n", text)
	return true
}

// table writes a table.
func (n *note) table(g words.Grid) { n.printf("%s", markdown(g)) }

// told writes a list below a line, if there is anything in it.
func (n *note) told(title string, rs words.Remarks) {
	if len(rs) == 0 {
		return
	}
	n.printf("%s:\n", title)
	for _, r := range rs {
		n.printf("- **%s**: %s", strings.Join(r.About, ", "), r.Text)
		if len(r.Lines) > 0 {
			n.printf("\n  ```\n  %s\n  ```", strings.Join(r.Lines, "\n  "))
		}
	}
	n.printf("")
}
