package results

import (
	"os"
	"path/filepath"
	"testing"
)

type entry struct{ Name, Value string }

func TestALogIsReadAgain(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log.jsonl")
	for _, e := range []entry{{"a", "old"}, {"b", "other"}, {"a", "new"}} {
		l, err := Open[entry](name)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	l, err := Open[entry](name)
	if err != nil || len(l.All) != 3 {
		t.Fatal(l, err)
	}
	if e, ok := l.Last(func(e entry) bool { return e.Name == "a" }); !ok || e.Value != "new" {
		t.Error(e, ok)
	}
	if e, ok := l.Last(func(e entry) bool { return e.Name == "c" }); ok {
		t.Error(e)
	}
}

func TestALineThatIsCutOffLosesNoOther(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log.jsonl")
	if err := os.WriteFile(name, []byte(`{"Name":"a"}`+"\n"+`{"Name":"b","Va`), 0o666); err != nil {
		t.Fatal(err)
	}
	l, err := Open[entry](name)
	if err != nil || len(l.All) != 1 {
		t.Fatal(l, err)
	}
	if err := l.Add(entry{Name: "c"}); err != nil {
		t.Fatal(err)
	}
	if l, err = Open[entry](name); err != nil || len(l.All) != 2 || l.All[1].Name != "c" {
		t.Error(l, err)
	}
}
