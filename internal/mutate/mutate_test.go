package mutate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// module writes a small module whose test notices if sum does not add.
func module(t *testing.T) (dir string) {
	dir = t.TempDir()
	for name, text := range map[string]string{
		"go.mod":      "module example.com/sum\n\ngo 1.24\n",
		"sum.go":      "package sum\n\nfunc sum(a, b int) int { return a + b }\n\nvar spare = 1\n",
		"sum_test.go": "package sum\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {\n\tif sum(2, 3) != 5 {\n\t\tt.Fatal(\"wrong\")\n\t}\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestAMutantIsNoticedOrNotOrNone(t *testing.T) {
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	dir := module(t)
	for _, tt := range []struct {
		name, old, new string
		args           []string
		noticed        bool
		err            string
	}{
		{name: "what a test sees", old: "a + b", new: "a - b", noticed: true},
		{name: "what no test sees", old: "spare = 1", new: "spare = 2"},
		{name: "what does not compile", old: "a + b", new: "a +", err: "does not build"},
		{name: "a test that does not exist", old: "a + b", new: "a - b", args: []string{"-run=^TestOther$"}, err: "no test ran"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			overlay, err := Overlay(t.TempDir(), dir, In("sum.go", tt.old, tt.new))
			if err != nil {
				t.Fatal(err)
			}
			noticed, out, err := Test(t.Context(), dir, overlay, append(tt.args, ".")...)
			if noticed != tt.noticed || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("noticed %v, %v, want %v, %q\n%s", noticed, err, tt.noticed, tt.err, out)
			}
		})
	}
	if text, err := os.ReadFile(filepath.Join(dir, "sum.go")); err != nil || !strings.Contains(string(text), "a + b") {
		t.Errorf("the file itself was changed: %q, %v", text, err)
	}
}

func TestEditsFollowTheSource(t *testing.T) {
	dir := module(t)
	for _, tt := range []struct {
		name  string
		edits []Edit
		want  string // part of the text, or of the error
	}{
		{"two edits of one file", In("sum.go", "a + b", "b + a", "b + a", "b - a"), "b - a"},
		{"text that is not there", In("sum.go", "a * b", "a"), "0 places"},
		{"text that is there twice", In("sum.go", "sum", "total"), "2 places"},
		{"a file that is not there", In("total.go", "a", "b"), "no such file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			texts, err := Texts(dir, tt.edits)
			got := texts[filepath.Join(dir, "sum.go")]
			if err != nil {
				got = err.Error()
			}
			if !strings.Contains(got, tt.want) {
				t.Errorf("%q, want %q in it", got, tt.want)
			}
		})
	}
}
