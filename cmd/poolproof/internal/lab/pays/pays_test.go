package pays

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

const root = "../../../../.."

func TestThePagesAreThoseOfTheRecords(t *testing.T) {
	texts, err := Texts(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{Page, Record} {
		got, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != texts[name] {
			t.Errorf("%s is not what the records say; in cmd/poolproof: go run ./internal/lab pays -write", name)
		}
	}
}

func TestAPoolIsOneRow(t *testing.T) {
	pool := func(id, name, build string, v study.Verdict) study.PoolAnswer {
		return study.PoolAnswer{ListedPool: study.ListedPool{ID: id, Name: name, Reached: 1}, Builds: []string{build}, Verdict: v}
	}
	r := record{Module: "m", Pools: []study.PoolAnswer{
		pool("a.go:1", "a", "go2", study.Positive),
		pool("b.go:1", "b", "go1", study.Inconclusive),
		pool("a.go:1", "a", "go1", study.Positive),
		pool("b.go:1", "b", "go2", study.NoChange),
		{ListedPool: study.ListedPool{ID: "c.go:1", Name: "c"}},
	}}
	r.Pools[2].Deciding = []study.Result{{Launches: 1}} // with go1 alone it was measured; the row is that of go2
	var b strings.Builder
	module{}.rows(&b, r)
	want := "| m | a | POSITIVE | was not measured |\n| m | b | INCONCLUSIVE (go1), NO CHANGE (go2) | was not measured |\n"
	if b.String() != want {
		t.Errorf("%s, want\n%s", &b, want)
	}
	b.Reset()
	module{}.rows(&b, record{Module: "m"})
	if !strings.HasPrefix(b.String(), "| m | - | - | no benchmark") {
		t.Error(&b)
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
