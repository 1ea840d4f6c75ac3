package found

import (
	"os"
	"strings"
	"testing"
)

// Each test has a module, a version and a kind, and the page of the documentation has it.
func TestEachDefectIsDocumented(t *testing.T) {
	all, err := read()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../../../../../docs/found.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range all {
		if !strings.Contains(string(page), "`"+one.name+"`") || !strings.Contains(string(page), one.module) {
			t.Errorf("docs/found.md lacks %s, or its module %s", one.name, one.module)
		}
	}
}

func TestADefectWithoutItsModuleIsRefused(t *testing.T) {
	if _, err := parse("x", []byte("package found\n\n")); err == nil || !strings.Contains(err.Error(), "MODULE@VERSION") {
		t.Error(err)
	}
	one, err := parse("x", []byte("// example.com/m@v1.0.0\n// read-after-put warning\npackage found\n"))
	if err != nil || one.module != "example.com/m@v1.0.0" || one.kind != "read-after-put" || one.severity != "warning" {
		t.Errorf("%+v, %v", one, err)
	}
}
