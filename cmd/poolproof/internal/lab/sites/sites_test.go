package sites

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../../../../.."

func TestTheTablesAreThoseOfTheRecords(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "cmd/poolproof/internal/lab/records/find.md"))
	if err != nil {
		t.Fatal(err)
	}
	for args, text := range map[string]struct {
		draw, run int
		of        func([]module, string) (string, error)
	}{
		"": {1, 1, Text}, " -again": {1, 1, Again}, " -draw 2": {2, 1, Text}, " -run 2": {1, 2, Text}, " -draw 2 -run 2": {2, 2, Text},
	} {
		all, err := modules(text.draw, text.run)
		if err != nil {
			t.Fatal(err)
		}
		want, err := text.of(all, root)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(page), want) {
			t.Errorf("records/find.md does not have what go run ./internal/lab sites%s prints:\n%s", args, want)
		}
	}
}

func TestRecordsAreCounted(t *testing.T) {
	all, err := modules(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	m := all[0]
	dir := t.TempDir()
	write := func(pkg, text string) {
		t.Helper()
		name := m.file(dir, pkg)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(m.Packages[0], `{"seconds": 10, "found": {"packages": [{"benchmarks": ["a", "b"]}], "sites": [
		{"kind": "append growth", "byte_share": 0.3, "variants": [{"name": "presize", "evidence": "semantics"}]},
		{"kind": "new", "byte_share": 0.1, "why": "t is returned in a.go:7"},
		{"kind": "new", "byte_share": 0.2, "in_pool": true, "lives": {"class": "kept"}}]}}`)
	write(m.Packages[1], `{"seconds": 3, "said": "it does not build"}`)
	text, err := Text(all, dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| " + m.Path + " | 2 | 10 | 3 | 60 % | 1 | 30 % |",
		"| " + m.Path + "/terminfo | it does not build | 3 | | | | |",
		"3 hot sites, 1 (33 %) can be tried; of their bytes 50 %. A package takes 10 s in the median, 10 s at most.",
		"| presize (semantics) | 1 | 50.0 % |", "| new: it is returned | 1 | 16.7 % |", "| fills a pool already | 1 | 33.3 % |",
		"| not watched | 2 | 66.7 % |", "| kept | 1 | 33.3 % |",
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("no line %q in\n%s", want, text)
		}
	}
}
