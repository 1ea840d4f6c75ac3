package vetprint_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sarif/sariftest"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/vetprint"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/vetrun"
	"github.com/poolproof/poolproof/cmd/poolproof/vet"
)

// result has two findings in a file of a repository, in all detail.
func result(t *testing.T) *vetrun.Result {
	t.Helper()
	root := t.TempDir()
	file := filepath.Join(root, "codec", "enc.go")
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("package codec\n\nvar ä, b = 1, 2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return &vetrun.Result{
		Root: root, Packages: 3,
		Findings: []vetrun.Finding{{
			Code: "PV001", Package: "example.com/codec", Message: "b is used after it was put", Tier: vet.Error,
			File: file, Line: 3, Col: 9, EndLine: 3, EndCol: 10,
			Related: []vetrun.Location{{File: file, Line: 1, Col: 1, Message: "put here"}},
			Fixes:   []vetrun.SuggestedFix{{Message: "copy", Edits: []vetrun.Edit{{File: file, Start: 23, End: 24, New: "c"}}}},
		}, {
			Code: "PV005", Package: "example.com/codec", Message: "lost", Tier: vet.Audit,
			File: file, Line: 3, Col: 0, EndLine: 3, EndCol: 0,
		}},
		GaveUp: []vetrun.Finding{{File: file, Line: 1, Col: 1, Message: "F is too large"}},
		Broken: []string{"x.go:1:1: wrong"},
	}
}

func printed(t *testing.T, form func(*bytes.Buffer) error) string {
	t.Helper()
	var out bytes.Buffer
	if err := form(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTextIsOneFindingALine(t *testing.T) {
	r := result(t)
	got := printed(t, func(w *bytes.Buffer) error { return vetprint.Text(w, r, r.Root, false) })
	want := filepath.FromSlash("codec/enc.go") + ":3:9: PV001 use-after-put (error): b is used after it was put\n" +
		filepath.FromSlash("codec/enc.go") + ":3: PV005 leak-path (audit): lost\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	got = printed(t, func(w *bytes.Buffer) error { return vetprint.Text(w, r, r.Root, true) })
	if want := "\t" + filepath.FromSlash("codec/enc.go") + ":1:1: put here\n\tsee it happen, if a test reaches it: poolproof test example.com/codec\n"; !strings.Contains(got, want) {
		t.Errorf("%q is not in\n%s", want, got)
	}
}

func TestAnnotationsCarryTheTier(t *testing.T) {
	r := result(t)
	got := printed(t, func(w *bytes.Buffer) error { return vetprint.GitHub(w, r) })
	want := "::error file=codec/enc.go,line=3,endLine=3,col=9,endColumn=10,title=PV001 use-after-put::b is used after it was put\n" +
		"::notice file=codec/enc.go,line=3,endLine=3,title=PV005 leak-path::lost\n" +
		"::error title=not analysed::x.go:1:1: wrong\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestJSONHasEverything(t *testing.T) {
	r := result(t)
	got := printed(t, func(w *bytes.Buffer) error { return vetprint.JSON(w, r) })
	var doc map[string]any
	if err := json.Unmarshal([]byte(got), &doc); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"version": 1.0, "root": r.Root, "packages": 3.0,
		"findings": []any{
			map[string]any{
				"code": "PV001", "name": "use-after-put", "tier": "error", "package": "example.com/codec",
				"file": "codec/enc.go", "line": 3.0, "column": 9.0, "endLine": 3.0, "endColumn": 10.0, "message": "b is used after it was put", "confirm": "poolproof test example.com/codec",
				"related": []any{map[string]any{"file": "codec/enc.go", "line": 1.0, "column": 1.0, "message": "put here"}},
				"fixes":   []any{map[string]any{"message": "copy", "edits": []any{map[string]any{"file": "codec/enc.go", "start": 23.0, "end": 24.0, "new": "c"}}}},
			},
			map[string]any{
				"code": "PV005", "name": "leak-path", "tier": "audit", "package": "example.com/codec",
				"file": "codec/enc.go", "line": 3.0, "column": 0.0, "endLine": 3.0, "endColumn": 0.0, "message": "lost", "confirm": "poolproof test -leaks example.com/codec",
				"related": []any{}, "fixes": []any{},
			},
		},
		"gaveUp": []any{map[string]any{"file": "codec/enc.go", "line": 1.0, "column": 1.0, "message": "F is too large"}},
		"broken": []any{"x.go:1:1: wrong"},
		"failed": []any{},
	}
	if diff := cmp.Diff(want, doc); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestSARIFPlacesFixesByLineAndUTF16Column(t *testing.T) {
	r := result(t)
	got := printed(t, func(w *bytes.Buffer) error { return vetprint.SARIF(w, r, "v1") })
	var doc struct {
		Runs []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Invocations []struct{ ExecutionSuccessful bool }
			Results     []struct {
				Level     string
				Locations []struct {
					PhysicalLocation struct {
						Region struct{ StartLine, StartColumn int }
					}
				}
				Fixes []struct {
					ArtifactChanges []struct {
						Replacements []struct {
							DeletedRegion struct{ StartLine, StartColumn, EndLine, EndColumn int }
						}
					}
				}
			}
		}
	}
	if err := errors.Join(sariftest.Validate([]byte(got)), json.Unmarshal([]byte(got), &doc)); err != nil {
		t.Fatal(err)
	}
	run := doc.Runs[0]
	if len(run.Tool.Driver.Rules) != len(vet.Checks()) {
		t.Errorf("%d rules of %d checks", len(run.Tool.Driver.Rules), len(vet.Checks()))
	}
	if run.Invocations[0].ExecutionSuccessful {
		t.Error("a run with a package that does not compile counts as complete")
	}
	// "var ä, b": b is at byte 9 of the line, and at unit 8.
	if at := run.Results[0].Locations[0].PhysicalLocation.Region; at.StartLine != 3 || at.StartColumn != 8 {
		t.Errorf("found at %+v", at)
	}
	deleted := run.Results[0].Fixes[0].ArtifactChanges[0].Replacements[0].DeletedRegion
	if deleted.StartLine != 3 || deleted.StartColumn != 8 || deleted.EndLine != 3 || deleted.EndColumn != 9 {
		t.Errorf("the fix replaces %+v", deleted)
	}
	if run.Results[1].Level != "note" {
		t.Errorf("an audit finding has the level %s", run.Results[1].Level)
	}
}

func TestASummaryCountsByTier(t *testing.T) {
	for want, tiers := range map[string][]vet.Tier{
		"":                               nil,
		"1 error":                        {vet.Error},
		"2 errors, 1 warning, 3 remarks": {vet.Error, vet.Audit, vet.Warning, vet.Audit, vet.Error, vet.Audit},
	} {
		r := &vetrun.Result{}
		for _, tier := range tiers {
			r.Findings = append(r.Findings, vetrun.Finding{Tier: tier})
		}
		if got := vetprint.Summary(r); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
