package peers

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	const out = `# example.org/corpus/a
a/bad.go:7:2: one
/top/b/bad.go:8:3: two
./c/bad.go:9: three
vet: d/bad.go:10:1: four
no position
a/bad.go:11:2: other
`
	reports, lines := parse("/top", out, func(m string) string {
		if m == "other" {
			return ""
		}
		return "PV001"
	})
	if lines != 5 {
		t.Errorf("%d lines with a position, want 5", lines)
	}
	var got []string
	for _, r := range reports {
		got = append(got, r.File+" "+r.Message)
	}
	want := "a/bad.go one, b/bad.go two, c/bad.go three, d/bad.go four"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got %s, want %s", s, want)
	}
}
