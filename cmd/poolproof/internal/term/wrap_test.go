package term

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

func TestWrapKeepsTheWordsAndTheWidth(t *testing.T) {
	const text = "  pool: time falls by 14.6 % and memory by 3.3 % over all of the launches that were made"
	for columns := range 120 {
		got := wrap(text, columns, "    ")
		if a, b := strings.Fields(text), strings.Fields(got); strings.Join(a, " ") != strings.Join(b, " ") {
			t.Fatalf("width %d changes the words: %q", columns, got)
		}
		lines := strings.Split(got, "\n")
		for i, l := range lines {
			if columns >= 20 && words.Width(l) > columns {
				t.Errorf("width %d has the line %q", columns, l)
			}
			if i > 0 && !strings.HasPrefix(l, "    ") {
				t.Errorf("width %d does not indent %q", columns, l)
			}
			if strings.HasPrefix(strings.TrimSpace(l), "%") || strings.TrimRight(l, " ") != l {
				t.Errorf("width %d breaks badly: %q", columns, l)
			}
		}
		if columns == 0 && len(lines) != 1 {
			t.Error("width 0 breaks lines")
		}
	}
}
