package note

import (
	"fmt"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// mdTable is a Markdown table.
type mdTable struct {
	Head  []string
	Cells [][]string
}

func (t *mdTable) add(cells ...string) { t.Cells = append(t.Cells, cells) }

// dropEmpty removes the columns that hold nothing, or a dash everywhere, and
// the baseline where it is one for all: its name goes into the head of the
// arms.
func (t *mdTable) dropEmpty() {
	for col := len(t.Head) - 1; col >= 0; col-- {
		var values []string
		for _, row := range t.Cells {
			values = append(values, row[col])
		}
		values = words.Unique(values)
		if len(values) != 1 {
			continue
		}
		empty := values[0] == "" || values[0] == words.Dash && t.Head[col] != "time" && t.Head[col] != "rank"
		if t.Head[col] == "baseline" && !empty {
			arm := slices.Index(t.Head, "arm")
			t.Head[arm] = "arm against " + values[0]
			empty = true
		}
		if empty {
			t.Head = slices.Delete(t.Head, col, col+1)
			for i := range t.Cells {
				t.Cells[i] = slices.Delete(t.Cells[i], col, col+1)
			}
		}
	}
}

func (t mdTable) String() string {
	var b strings.Builder
	write := func(cells []string) {
		for _, c := range cells {
			fmt.Fprintf(&b, "| %s ", cellText(c))
		}
		b.WriteString("|\n")
	}
	write(t.Head)
	b.WriteString(strings.Repeat("|---", len(t.Head)) + "|\n")
	for _, row := range t.Cells {
		write(row)
	}
	return b.String()
}

// cellText makes text safe inside a table.
func cellText(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "|", `\|`)
}
