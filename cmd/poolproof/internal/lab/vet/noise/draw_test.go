package noise

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus"
)

// A draw names modules that no other list has: what had been looked at before is not
// drawn.
func TestNoModuleIsDrawnTwice(t *testing.T) {
	seen := make(map[string]bool)
	for _, m := range append(append(append([]Module{}, Modules...), Later...), Everyday...) {
		seen[m.Path] = true
	}
	for name, draw := range Draws {
		if len(draw) < 40 {
			t.Errorf("%s has %d modules, want at least 40", name, len(draw))
		}
		for _, m := range draw {
			if seen[m.Path] || m.Version == "" {
				t.Errorf("%s: %s %s is there already, or has no version", name, m.Path, m.Version)
			}
			seen[m.Path] = true
		}
	}
}

// Each error and warning in shipped code of a recorded first run is judged, and nothing
// else is.
func TestFirstRunsAreJudged(t *testing.T) {
	reviews, err := LoadReviews()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join("testdata", "*.first.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		all, err := ReadRecord(file, reviews)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range all {
			for _, f := range m.Findings {
				if f.Tier != "audit" && !f.Test() && f.Review == nil {
					t.Errorf("%s: not judged: %s %s:%d %s", file, m.Name, f.File, f.Line, f.Code)
				}
			}
		}
	}
}

// A module that is in the record is not analysed again.
func TestAFirstRunHappensOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.jsonl")
	const line = `{"Module":"example.org/m","Version":"v1.0.0","Lines":7,"CPUSeconds":1,"Reports":[{"File":"a.go","Line":3,"Col":2,"Code":"PV001","Tier":"error","Message":"m"}],"Failures":2}` + "\n"
	if err := os.WriteFile(file, []byte(line), 0o666); err != nil {
		t.Fatal(err)
	}
	m := Module{Name: "example.org/m", Path: "example.org/m", Version: "v1.0.0"}
	if err := Record(context.Background(), corpus.Tool{Bin: "does not exist"}, []Module{m}, "", file, time.Minute); err != nil {
		t.Fatal(err)
	}
	if now, _ := os.ReadFile(file); string(now) != line {
		t.Errorf("the record is now %s", now)
	}
	all, err := ReadRecord(file, &Reviews{Report: []Review{{Module: m.Name, Version: m.Version, File: "a.go", Line: 3, Code: "PV001", Judgement: False}}})
	if err != nil || len(all) != 1 || all[0].False("error") != 1 || all[0].Lines != 7 || len(all[0].Failures) != 2 {
		t.Errorf("read %+v, %v", all, err)
	}
}
