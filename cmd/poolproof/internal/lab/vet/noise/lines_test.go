package noise

import "testing"

func TestCodeLines(t *testing.T) {
	for name, test := range map[string]struct {
		src  string
		want int
	}{
		"an empty file":                     {"", 0},
		"comments and blank lines":          {"// a\n\npackage p // b\n\n/* c\nd */\n", 1},
		"statements on one line":            {"package p\nvar a, b = 1, 2; var c = 3\n", 2},
		"a raw string over three lines":     {"package p\nvar s = `a\nb\nc`\n", 4},
		"two raw strings that meet":         {"package p\nvar s = `a\nb` + `c\nd`\n", 4},
		"no newline at the end of the file": {"package p\nvar a = 1", 2},
	} {
		t.Run(name, func(t *testing.T) {
			if got := codeLines([]byte(test.src)); got != test.want {
				t.Errorf("got %d lines, want %d", got, test.want)
			}
		})
	}
}
