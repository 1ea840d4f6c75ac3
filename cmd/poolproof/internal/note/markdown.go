package note

import (
	"fmt"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// dropEmpty removes the columns that hold nothing, or a dash everywhere, and
// the baseline where it is one for all: its name goes into the head of the
// arms.
func dropEmpty(t *words.Grid) {
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
			t.Drop(col)
		}
	}
}

// markdown is a table as Markdown has it.
func markdown(t words.Grid) string {
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
