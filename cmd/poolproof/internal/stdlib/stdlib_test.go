package stdlib_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/stdlib"
)

// A new version of Go may have packages with other beginnings, which the list then needs.
func TestTheStandardLibraryIsWhatGoSays(t *testing.T) {
	out, err := exec.Command("go", "list", "std").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range strings.Fields(string(out)) {
		if !stdlib.Has(path) {
			t.Errorf("%s is not taken for a package of the standard library", path)
		}
	}
	for _, path := range []string{"app", "app/log", "example.com/io", "networks", ""} {
		if stdlib.Has(path) {
			t.Errorf("%s is taken for a package of the standard library", path)
		}
	}
}
