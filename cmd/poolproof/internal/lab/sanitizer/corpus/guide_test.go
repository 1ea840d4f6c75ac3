package corpus

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// memoryTable is the table of the guide that says which memory is followed, made from the comments
// of package behind of the corpus: what each of its misuses touches, and what each mode must find.
func memoryTable(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "module", "behind", "behind_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	out.WriteString("| memory of a pooled object, used after its `Put` | exact | fast |\n|---|---|---|\n")
	rows := regexp.MustCompile(`(?m)^// Memory: (.*)\.\n//\n//want:exact (.*)\n(?://want:fast (.*)\n)?func Test`).FindAllStringSubmatch(string(text), -1)
	for _, row := range rows {
		out.WriteString("| " + row[1] + " | " + seenAs(row[2]) + " | " + seenAs(row[3]) + " |\n")
	}
	if n := strings.Count(string(text), "\nfunc Test"); n != len(rows) {
		t.Errorf("%d rows for %d tests", len(rows), n)
	}
	return out.String()
}

// seenAs is how a directive reads in the table: what may be missing is left out.
func seenAs(kinds string) string {
	var all []string
	for _, k := range strings.Fields(kinds) {
		switch {
		case k == Unseen:
			return "**not seen**"
		case !strings.HasSuffix(k, "?"):
			all = append(all, "`"+k+"`")
		}
	}
	return cmp.Or(strings.Join(all, ", "), "–")
}

func TestTheRecordSaysWhichMemoryIsFollowed(t *testing.T) {
	const guide = "../../records/memory.md"
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), "<!-- memory -->\n")
	got, after, closed := strings.Cut(rest, "<!-- /memory -->")
	if !ok || !closed {
		t.Fatalf("%s has no marks for the table", guide)
	}
	if want := memoryTable(t); got != want {
		if os.Getenv("UPDATE_GUIDE") != "" {
			if err := os.WriteFile(guide, []byte(before+"<!-- memory -->\n"+want+"<!-- /memory -->"+after), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		t.Errorf("the record has\n%s\nwant (UPDATE_GUIDE=1 writes it)\n%s", got, want)
	}
}
