package gotest

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNamesOfFilesAreTakenFromTheFolderOfTheUser(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for line, want := range map[string]string{
		"-coverprofile c.out -run a/b ./x":     "-coverprofile=" + at("c.out") + " -run=a/b ./x",
		"-o bin/ -c":                           "-o=" + at("bin") + string(filepath.Separator) + " -c=true",
		"-o bin -outputdir out":                "-o=" + at("bin") + " -outputdir=" + at("out"),
		"-cpuprofile " + at("a") + " -pgo=off": "-cpuprofile=" + at("a") + " -pgo=off",
		"-pgo=p.pprof -overlay o -trace t":     "-pgo=" + at("p.pprof") + " -overlay=" + at("o") + " -trace=" + at("t"),
		"-modfile m.mod -coverprofile=":        "-modfile=" + at("m.mod") + " -coverprofile=",
	} {
		l, err := Parse(strings.Fields(line), nil)
		if err != nil {
			t.Fatal(err)
		}
		before := strings.Join(l.Args(), " ")
		if d := cmp.Diff(want, strings.Join(l.From(dir).Args(), " ")); d != "" {
			t.Errorf("%s: %s", line, d)
		}
		if strings.Join(l.Args(), " ") != before {
			t.Errorf("%s: the line itself has changed", line)
		}
	}
}
