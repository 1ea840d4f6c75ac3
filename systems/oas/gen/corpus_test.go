package gen_test

import (
	"os"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/systems/oas"
	"github.com/poolproof/poolproof/systems/oas/gen"
	"github.com/poolproof/poolproof/systems/oas/internal/corpus"
)

// One document of 13 is read, which are 203; with OAS_CORPUS=all each of the
// 2,639, which takes long.
func TestRealDocumentsMakeSoundCode(t *testing.T) {
	all := os.Getenv("OAS_CORPUS") == "all"
	if testing.Short() && !all {
		t.Skip("SKIPPED: real documents, in short mode")
	}
	file, err := corpus.File()
	if err != nil {
		t.Skipf("SKIPPED: no real documents: %v", err)
	}
	documents, sounds, size, expressed := 0, 0, 0, 0
	notes := map[string]int{}
	err = corpus.Each(file, func(number int) bool { return all || number%13 == 0 }, func(name string, source []byte) error {
		documents++
		d, err := oas.Parse(source)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return nil
		}
		whole := true
		files, err := gen.Generate(d, gen.Options{Note: func(n gen.Note) {
			whole = false
			what, _, _ := strings.Cut(n.Msg, ":")
			notes[what]++
			if testing.Verbose() {
				t.Logf("%s: %v", name, n)
			}
		}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return nil
		}
		if whole {
			expressed++
		}
		for _, source := range files {
			size += len(source)
		}
		wrong := sound(files)
		if len(wrong) == 0 {
			sounds++
		}
		for _, w := range wrong {
			t.Errorf("%s: %s", name, w)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if documents < 200 || all && documents != corpus.Documents {
		t.Errorf("%d documents", documents)
	}
	t.Logf("the code for %d of %d documents is formatted and compiles; %d bytes", sounds, documents, size)
	t.Logf("it expresses all of %d documents, and leaves out: %v", expressed, notes)
}
