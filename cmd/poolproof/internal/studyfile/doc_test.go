package studyfile

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

const docFile = "../../../../docs/study-file.md"

// Every key of a study file stands in its documentation, in the section of its
// table.
func TestTheDocumentationNamesEveryKey(t *testing.T) {
	data, err := os.ReadFile(docFile)
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]string{}
	for section := range strings.SplitSeq(string(data), "\n## ") {
		head, text, _ := strings.Cut(section, "\n")
		sections[strings.Trim(head, "`[]")] = text
	}
	tables := map[string]bool{}
	for _, k := range keysOf(reflect.TypeFor[study.File]()) {
		typ := k.typ
		if typ.Kind() == reflect.Slice {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct {
			if !strings.Contains(sections["The question"], "`"+k.name+"`") {
				t.Errorf("%s does not name the key %s", docFile, k.name)
			}
			continue
		}
		tables[k.name] = true
		for _, inner := range keysOf(typ) {
			if !strings.Contains(sections[k.name], "`"+inner.name+"`") {
				t.Errorf("%s does not name the key %s of %s", docFile, inner.name, k.name)
			}
		}
	}
	for head := range sections {
		if head != "The question" && !tables[head] && !strings.HasPrefix(head, "# ") {
			t.Errorf("%s has a section on %s, which a study file does not have", docFile, head)
		}
	}
}
