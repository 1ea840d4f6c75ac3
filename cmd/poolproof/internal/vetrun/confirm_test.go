package vetrun

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet"
)

func TestAFindingNamesTheCommandThatConfirmsIt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p_test.go")
	const text = "package p\n\nfunc helper() {\n}\n\nfunc TestIt(t *T) {\n\tuse()\n}\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		f    vet.Finding
		want string
	}{
		"in a package":               {vet.Finding{Code: "PV001", Package: "example.com/p", File: "p.go", Line: 7}, "poolproof test example.com/p"},
		"in a test":                  {vet.Finding{Code: "PV002", Package: "example.com/p", File: file, Line: 7}, "poolproof test -run '^TestIt$' example.com/p"},
		"in a test package":          {vet.Finding{Code: "PV002", Package: "example.com/p_test", File: file, Line: 7}, "poolproof test -run '^TestIt$' example.com/p"},
		"in a function of tests":     {vet.Finding{Code: "PV003", Package: "example.com/p", File: file, Line: 3}, "poolproof test example.com/p"},
		"in a file that is gone":     {vet.Finding{Code: "PV003", Package: "example.com/p", File: file + "_test.go", Line: 3}, "poolproof test example.com/p"},
		"that only the source shows": {vet.Finding{Code: "PV008", Package: "example.com/p", File: file, Line: 7}, ""},
	} {
		if got := Confirm(test.f); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
