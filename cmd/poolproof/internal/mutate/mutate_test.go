package mutate

import (
	"os"
	"strings"
	"testing"
	"time"
)

const file = "testdata/size/size.go"

func TestWhatBecomesOfAMutant(t *testing.T) {
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		old, new string
		want     outcome
		words    string
	}{
		"one that the tests notice":              {"return -n", "return n", killed, "FAIL"},
		"one that they do not notice":            {"n < 0", "n <= 0", survived, ""},
		"one with which they do not end":         {"return -n", "select {}", timedOut, "test timed out after 5s"},
		"one that does not compile":              {"n < 0", "n < nothing", noMutant, "undefined: nothing"},
		"one whose text is not there":            {"n > 0", "n < 0", noMutant, "the text is 0 times"},
		"one whose text is there more than once": {"return", "panic(0); return", noMutant, "the text is 3 times"},
	} {
		t.Run(name, func(t *testing.T) {
			m := Mutant{name, file, test.old, test.new, "./testdata/size"}
			got, out := m.run(t.Context(), t.TempDir(), 5*time.Second)
			if got != test.want || !strings.Contains(out, test.words) {
				t.Errorf("%s, want %s with %q:\n%s", got, test.want, test.words, out)
			}
		})
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Error("the file is another one now", err)
	}
}
