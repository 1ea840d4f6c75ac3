package study

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestASummaryKeepsWhatWasMeasuredAndByWhichProgram(t *testing.T) {
	v := VerdictFile{Schema: Schema, Judged: 3, Plan: Plan{
		Schema: Schema, Revision: "abc", Dirty: true, Program: Program{Version: "v1.2.3", SHA256: "cc", Engine: 4}, Rule: Rule{Version: 2},
		Binaries: []Binary{{ID: "test", SHA256: "aa"}, {ID: "test-padded2", SHA256: "02", Layout: 2}, {ID: "fast", SHA256: "bb"}, {ID: "test-padded1", SHA256: "01", Layout: 1}},
	}}
	name := filepath.Join(t.TempDir(), SummaryName)
	if err := WriteSummary(name, Summarise(v)); err != nil {
		t.Fatal(err)
	}
	s, ok, err := ReadSummary(name)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	want := &Provenance{
		Revision: "abc", Dirty: true, Program: Program{Version: "v1.2.3", SHA256: "cc", Engine: 4}, Rule: 2, Judged: 3,
		Binaries: []Digest{{"fast", "bb"}, {"test", "aa"}},
		// printf 'test-padded1 01\ntest-padded2 02\n' | sha256sum
		Padded: &Padded{2, "4dd673948d0bcc832b01f68ccb9cc2ef8e43e25653b00f6f1b7c9ffe3a31b32f"},
	}
	if diff := cmp.Diff(want, s.Provenance); diff != "" {
		t.Error(diff)
	}
	if s.Revision != "" {
		t.Errorf("the field of earlier versions is written: %q", s.Revision)
	}
}

func TestAResultOfAnEarlierVersionIsReadAndSaysNothingOfItsOrigin(t *testing.T) {
	name := filepath.Join(t.TempDir(), SummaryName)
	old := `{"schema": 1, "title": "old", "measured": "2026-11-21", "spent": "1s", "revision": "abc", "command": [], "comparisons": []}`
	if err := os.WriteFile(name, []byte(old), 0o666); err != nil {
		t.Fatal(err)
	}
	s, ok, err := ReadSummary(name)
	if err != nil || !ok || s.Provenance != nil || s.Revision != "abc" {
		t.Errorf("%+v %v %v", s, ok, err)
	}
	v := VerdictFile{Plan: Plan{Revision: "abc"}} // a plan of then
	if v.Provenance() != nil || Summarise(v).Revision != "abc" {
		t.Errorf("a plan without a program: %+v", Summarise(v))
	}
}
