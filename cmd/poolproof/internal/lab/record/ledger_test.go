package record

import (
	"slices"
	"strings"
	"testing"
)

func TestTheLedgerHasTheFiguresOfEachSection(t *testing.T) {
	const page = "# a\n\nIt takes 12 ns.\n\n## b\n\nno figure, 3 of them\n\n## c\n\n<!-- begin t of kept/t.md -->\n\n| 1.5 |\n\n<!-- end t -->\n\n8 times\n\n<!-- begin u of u/verdict.json -->\n| 1.5 | 2 |\n<!-- end u -->\n"
	got := strings.Join(entries("docs/a.md", page), "\n")
	if want := "docs/a.md # u of u/verdict.json: 2 numbers, "; !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "\ndocs/a.md # a: 12 ns\ndocs/a.md # c: 8 times") {
		t.Errorf("got\n%s", got)
	}
	if got := entries(recordsDir+"a.md", "# a\n\n4 reports, 0 false\n"); len(got) != 1 || !strings.HasPrefix(got[0], recordsDir+"a.md # a: 2 numbers, ") {
		t.Errorf("of a record %q", got)
	}
	if got := entries("README.md", "# a\n\n3 of 4\n\n## With proof\n\n18 of 20\n"); !slices.Equal(got, []string{"README.md # With proof: 18, 20"}) {
		t.Errorf("of the first page %q", got)
	}
}

func TestAChangeOfTheLedgerIsNoticed(t *testing.T) {
	old := ledger
	defer func() { ledger = old }()
	record := recordsDir + "a.md # a: 2 numbers, 01234567"
	ledger = "# head\n\ndocs/a.md # a: 12 ns\n" + record + "\n"
	for _, tt := range []struct {
		name string
		now  []string
		want int
	}{
		{"as it was", []string{"docs/a.md # a: 12 ns", record}, 0},
		{"another figure", []string{"docs/a.md # a: 13 ns", record}, 2},
		{"a figure that is gone", []string{record}, 1},
		{"a new section of a page", []string{"docs/a.md # a: 12 ns", "docs/a.md # b: 1 ns", record}, 1},
		{"another number of a record", []string{"docs/a.md # a: 12 ns", recordsDir + "a.md # a: 2 numbers, 89abcdef"}, 2},
		{"a new section of a record", []string{"docs/a.md # a: 12 ns", record, recordsDir + "a.md # b: 1 numbers, 01234567"}, 0},
	} {
		if got := entered(tt.now); len(got) != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
