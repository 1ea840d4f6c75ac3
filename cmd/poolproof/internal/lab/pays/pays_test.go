package pays

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

const root = "../../../../.."

func TestThePageIsThatOfTheRecords(t *testing.T) {
	want, err := Text(root)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, Page))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what the records say; in cmd/poolproof: go run ./internal/lab pays -write", Page)
	}
}

func TestARecordIsOfTheListedModule(t *testing.T) {
	all, err := modules()
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]module{}
	for _, m := range all {
		if m.Name == "" || m.Path == "" || m.Version == "" || m.Package == "" || m.Budget == "" {
			t.Errorf("%+v has an empty field", m)
		}
		byName[m.Name] = m
	}
	kept, _ := filepath.Glob(filepath.Join(root, records, "*.json"))
	for _, name := range kept {
		r, err := read(name)
		if err != nil {
			t.Fatal(err)
		}
		m := byName[filepath.Base(name[:len(name)-len(".json")])]
		if r.Module != m.Path || r.Version != m.Version || quoted(r.Command[2:]) != quoted(m.command()) || len(r.Pools)+len(r.None) == 0 {
			t.Errorf("%s is of %s %s, %q; the list has %+v", name, r.Module, r.Version, r.Command, m)
		}
	}
}

func TestPackagesWithNothingToCompareSayWhy(t *testing.T) {
	told := "1/2 a: looking for pools\npoolproof: ./a: nothing to compare: no benchmark gets from a pool\npoolproof: no package has anything to compare\n"
	if got := nothing(told); !slices.Equal(got, []string{"no benchmark gets from a pool"}) {
		t.Errorf("%q", got)
	}
	if got := nothing("poolproof: a.go:1: undefined: x\n"); got != nil {
		t.Errorf("a failure is told as %q", got)
	}
}
