package report

import (
	"fmt"
	"slices"
	"strings"
)

// mdTable is a Markdown table.
type mdTable struct {
	head  []string
	cells [][]string
}

func (t *mdTable) add(cells ...string) { t.cells = append(t.cells, cells) }

// dropEmpty removes the columns that hold nothing, or a dash everywhere, and
// the baseline where it is one for all: its name goes into the head of the
// arms.
func (t *mdTable) dropEmpty() {
	for col := len(t.head) - 1; col >= 0; col-- {
		var values []string
		for _, row := range t.cells {
			values = append(values, row[col])
		}
		values = unique(values)
		if len(values) != 1 {
			continue
		}
		empty := values[0] == "" || values[0] == dash && t.head[col] != "time" && t.head[col] != "rank"
		if t.head[col] == "baseline" && !empty {
			arm := slices.Index(t.head, "arm")
			t.head[arm] = "arm against " + values[0]
			empty = true
		}
		if empty {
			t.head = slices.Delete(t.head, col, col+1)
			for i := range t.cells {
				t.cells[i] = slices.Delete(t.cells[i], col, col+1)
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
	write(t.head)
	b.WriteString(strings.Repeat("|---", len(t.head)) + "|\n")
	for _, row := range t.cells {
		write(row)
	}
	return b.String()
}

// cellText makes text safe inside a table.
func cellText(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "|", `\|`)
}
