package checktest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFixesMakeTheGoldenFile(t *testing.T) {
	const source = "package p\n\nvar a, b = 1, 2\n"
	one := edit{strings.Index(source, "1"), strings.Index(source, "1") + 1, "3"}
	two := edit{strings.Index(source, "2"), strings.Index(source, "2") + 1, "4"}
	both := edit{one.start, two.end, "5,   6"}
	for name, c := range map[string]struct {
		edits  []edit
		golden string // "": there is none
		want   string // in the problem; "": all is well
	}{
		"nothing to fix":      {nil, "", ""},
		"a fix":               {[]edit{one}, "package p\n\nvar a, b = 3, 2\n", ""},
		"in any order":        {[]edit{two, one}, "package p\n\nvar a, b = 3, 4\n", ""},
		"the same twice":      {[]edit{one, two, one}, "package p\n\nvar a, b = 3, 4\n", ""},
		"formatted":           {[]edit{both}, "package p\n\nvar a, b = 5, 6\n", ""},
		"any golden file":     {[]edit{one}, "package p\n\nvar a,b=3,2\n", ""},
		"something else":      {[]edit{one}, source, "fixed otherwise"},
		"no golden file":      {[]edit{one}, "", ".golden"},
		"no fix":              {nil, source, "nothing is fixed"},
		"two in one place":    {[]edit{one, both}, source, "overlap"},
		"what does not parse": {[]edit{{0, 1, "x"}}, source, "expected"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "p.go")
			write(t, file, source)
			if c.golden != "" {
				write(t, file+".golden", c.golden)
			}
			got := misfixed(file, c.edits)
			if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("%q, want %q in it", got, c.want)
			}
		})
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
