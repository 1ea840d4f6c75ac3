package rooms

import (
	"strings"
	"testing"
)

// The packages of this module that are beyond a limit, and how far: the next
// change may lower a figure here, and must not raise it.
var (
	windings = map[string]int{} // arrows back
	crowds   = map[string]int{} // methods
)

func TestNoPackageOfTheCommandGetsHarderToRead(t *testing.T) {
	list, err := Load(t.Context(), "../../..", "./...")
	if err != nil {
		t.Fatal(err)
	}
	const module = "github.com/poolproof/poolproof/cmd/poolproof"
	if len(list) < 40 {
		t.Fatalf("%d packages were found, the module has more", len(list))
	}
	for _, p := range list {
		name := strings.TrimPrefix(strings.TrimPrefix(p.Path, module), "/")
		if most, known := windings[name]; p.Winding() && p.Back > most {
			t.Errorf("%s: %d of %d arrows between its files point back up; the limit is a tenth, %d were there before\n"+
				"go run ./internal/lab rooms -v ./%s shows them", p.Path, p.Back, len(p.Arrows), most, name)
		} else if known && (!p.Winding() || p.Back < most) {
			t.Logf("%s: windings can be lowered from %d to %d", p.Path, most, p.Back)
		}
		for typ, n := range p.Methods {
			if most := max(MostMethods, crowds[name+"."+typ]); n > most {
				t.Errorf("%s.%s has %d methods; the limit is %d", p.Path, typ, n, most)
			}
		}
	}
}
