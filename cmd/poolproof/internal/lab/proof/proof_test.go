package proof

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../../../../.."

func TestThePageIsThatOfTheRecords(t *testing.T) {
	if err := Check(root); err != nil {
		t.Errorf("%s: %v", Page, err)
	}
	want, err := Text(root)
	if err != nil {
		t.Fatal(err)
	}
	if rows := strings.Count(want, "\n| ") - 1; rows != 10 {
		t.Errorf("%d figures, the page says ten", rows)
	}
	if lines := strings.Count(want, "\n"); lines > 40 {
		t.Errorf("%d lines are more than one screen", lines)
	}
}

func TestAFigureThatTheRecordDoesNotHaveIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "log.md"), []byte("# Log\n\n## Draw 5: `pools`\n\nfalse: 3 of\n40, in 1,234 kLoC\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	good := figure{Question: "?", Answer: "3 of 40 in 1,234 kLoC", Date: "2026-11-23", Record: "log.md#draw-5-pools", Quotes: []string{"3 of 40, in 1,234 kLoC"}}
	if err := good.check(dir); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*figure){
		"number 4 ":    func(f *figure) { f.Answer = "4 of 40" },
		"number 1,235": func(f *figure) { f.Answer = "3 of 40 in 1,235 kLoC" },
		"does not say": func(f *figure) { f.Quotes = []string{"4 of 40"} },
		"no heading":   func(f *figure) { f.Record = "log.md#draw-6" },
		"no such file": func(f *figure) { f.Record = "lag.md" },
		"cannot parse": func(f *figure) { f.Date = "yesterday" },
		"number 3 of":  func(f *figure) { f.Quotes = nil },
		"log.md does":  func(f *figure) { f.Said = []saying{{"log.md", "3 of 41"}} },
		"number 5 of":  func(f *figure) { f.Said = []saying{{"log.md", "Draw 5"}} },
	} {
		f := good
		change(&f)
		if err := f.check(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
