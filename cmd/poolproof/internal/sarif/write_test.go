package sarif_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sarif"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sarif/sariftest"
)

// full uses every field there is.
func full() sarif.Run {
	at := func(line, column, end int) sarif.Location {
		return sarif.Location{File: "codec/enc.go", Start: sarif.Position{Line: line, Column: column}, End: sarif.Position{Line: line, Column: end}}
	}
	related := at(3, 2, 9)
	related.Message = "given back here"
	return sarif.Run{
		Tool:     sarif.Tool{Name: "poolproof", Version: "v1.2.3", URL: "https://example.com/poolproof"},
		Category: "poolproof/vet",
		Rules: []sarif.Rule{
			{ID: "PV001", Name: "use-after-put", Short: "An object is used after Put.", Help: "# Why\n\nIt is somebody else's.", URL: "https://example.com/PV001", Level: sarif.Error},
			{ID: "PV005", Name: "leak-path", Short: "A path loses the object.", Level: sarif.Warning},
		},
		Results: []sarif.Result{
			{Rule: "PV001", Message: "b is used after it was put", At: at(5, 2, 3), Related: []sarif.Location{related}, Fixes: []sarif.Fix{{
				Message: "copy it",
				Edits: []sarif.Edit{
					{File: "codec/enc.go", Start: sarif.Position{Line: 5, Column: 9}, End: sarif.Position{Line: 5, Column: 10}, New: "append([]byte(nil), b...)"},
					{File: "codec/enc.go", Start: sarif.Position{Line: 6, Column: 1}, End: sarif.Position{Line: 6, Column: 4}},
					{File: "codec/dec.go", Start: sarif.Position{Line: 1, Column: 1}, End: sarif.Position{Line: 1, Column: 1}, New: "x"},
				},
			}}},
			{Rule: "PV001", Level: sarif.Warning, Message: "reached through a field", At: sarif.Location{File: "codec/enc.go"}},
			{Rule: "PV005", Message: "lost", At: sarif.Location{File: "/usr/lib/go/src/fmt/print.go", Start: sarif.Position{Line: 7}}},
		},
		Notices: []sarif.Notice{{Level: sarif.Error, Message: "example.com/broken does not compile"}, {Level: sarif.Note, Message: "one function was too large"}},
	}
}

func encode(t *testing.T, r sarif.Run) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := r.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestLogsFollowTheSchema(t *testing.T) {
	for name, run := range map[string]sarif.Run{
		"nothing found":        {Tool: sarif.Tool{Name: "poolproof"}},
		"every field in use":   full(),
		"rules and no results": {Tool: full().Tool, Rules: full().Rules},
	} {
		t.Run(name, func(t *testing.T) {
			if err := sariftest.Validate(encode(t, run)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestTheSchemaRefusesWhatIsWrong(t *testing.T) {
	good := string(encode(t, full()))
	for name, change := range map[string][2]string{
		"a level that is not there":     {`"level": "error"`, `"level": "fatal"`},
		"a line before the first":       {`"startLine": 5`, `"startLine": 0`},
		"a field of our own":            {`"columnKind"`, `"columnType"`},
		"units that are not there":      {`utf16CodeUnits`, `bytes`},
		"another version of the format": {`"version": "2.1.0"`, `"version": "2.2.0"`},
		"a rule without ID":             {`"id": "PV001",`, ``},
	} {
		t.Run(name, func(t *testing.T) {
			bad := strings.Replace(good, change[0], change[1], 1)
			if bad == good {
				t.Fatalf("%s is not in the log", change[0])
			}
			if sariftest.Validate([]byte(bad)) == nil {
				t.Errorf("accepted with %s", change[1])
			}
		})
	}
}

// log is the part of a log that the tests look at.
type log struct {
	Runs []struct {
		AutomationDetails struct{ ID string }
		Invocations       []struct{ ExecutionSuccessful bool }
		Results           []struct {
			RuleID    string
			RuleIndex int
			Level     string
			Locations []struct {
				PhysicalLocation struct {
					ArtifactLocation struct{ URI, URIBaseID string }
					Region           struct{ StartLine, StartColumn, EndLine, EndColumn int }
				}
			}
			RelatedLocations []struct{ Message struct{ Text string } }
			Fixes            []struct {
				ArtifactChanges []struct {
					ArtifactLocation struct{ URI string }
					Replacements     []struct {
						InsertedContent *struct{ Text string }
					}
				}
			}
		}
	}
}

func decode(t *testing.T, data []byte) log {
	t.Helper()
	var l log
	if err := json.Unmarshal(data, &l); err != nil {
		t.Fatal(err)
	}
	return l
}

func TestWhatReadersGet(t *testing.T) {
	l := decode(t, encode(t, full()))
	run := l.Runs[0]
	if run.AutomationDetails.ID != "poolproof/vet/" {
		t.Errorf("category %q", run.AutomationDetails.ID)
	}
	if run.Invocations[0].ExecutionSuccessful {
		t.Error("a run with an error in its notices counts as complete")
	}
	var levels []string
	for _, r := range run.Results {
		levels = append(levels, r.RuleID+" "+r.Level)
	}
	if diff := cmp.Diff([]string{"PV001 error", "PV001 warning", "PV005 warning"}, levels); diff != "" {
		t.Errorf("levels (-want +got):\n%s", diff)
	}
	if got := run.Results[2].RuleIndex; got != 1 {
		t.Errorf("rule index %d, want 1", got)
	}
	if got := run.Results[0].RelatedLocations[0].Message.Text; got != "given back here" {
		t.Errorf("related: %q", got)
	}
	changes := run.Results[0].Fixes[0].ArtifactChanges
	if len(changes) != 2 || len(changes[0].Replacements) != 2 || changes[0].Replacements[1].InsertedContent != nil {
		t.Errorf("edits are not grouped by file, or a deletion inserts something: %+v", changes)
	}
}

func TestFilesAreNamedByURI(t *testing.T) {
	for file, want := range map[string]struct{ uri, base string }{
		"a/b.go":             {"a/b.go", "%SRCROOT%"},
		"with space/ä.go":    {"with%20space/%C3%A4.go", "%SRCROOT%"},
		"50%.go":             {"50%25.go", "%SRCROOT%"},
		"a:b.go":             {"./a:b.go", "%SRCROOT%"},
		"/usr/go/src/x.go":   {"file:///usr/go/src/x.go", ""},
		"C:/Users/me/x y.go": {"file:///C:/Users/me/x%20y.go", ""},
	} {
		t.Run(file, func(t *testing.T) {
			run := full()
			run.Results = []sarif.Result{{Rule: "PV001", Message: "m", At: sarif.Location{File: file}}}
			data := encode(t, run)
			got := decode(t, data).Runs[0].Results[0].Locations[0].PhysicalLocation.ArtifactLocation
			if got.URI != want.uri || got.URIBaseID != want.base {
				t.Errorf("%q below %q, want %q below %q", got.URI, got.URIBaseID, want.uri, want.base)
			}
			if err := sariftest.Validate(data); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestColumnsAreCountedInUTF16(t *testing.T) {
	const line = "ä := \"😀\" + x"
	x := strings.Index(line, "x") + 1
	for name, test := range map[string]struct {
		source func(string) []byte
		column int
		want   int
	}{
		"ASCII before it":                      {func(string) []byte { return []byte("p\na := x") }, 6, 6},
		"two bytes are one unit, four are two": {func(string) []byte { return []byte("p\n" + line) }, x, x - 3},
		"the first column":                     {func(string) []byte { return []byte("p\n" + line) }, 1, 1},
		"bytes that are no UTF-8":              {func(string) []byte { return []byte("p\n\xff\xfe x") }, 4, 4},
		"beyond the end of the line":           {func(string) []byte { return []byte("p\nä") }, 5, 4},
		"no such line":                         {func(string) []byte { return []byte("p") }, 7, 7},
		"a file that cannot be read":           {func(string) []byte { return nil }, 7, 7},
		"no source at all":                     {nil, 7, 7},
	} {
		t.Run(name, func(t *testing.T) {
			run := full()
			run.Source = test.source
			run.Results = []sarif.Result{{Rule: "PV001", Message: "m", At: sarif.Location{File: "a.go", Start: sarif.Position{Line: 2, Column: test.column}}}}
			got := decode(t, encode(t, run)).Runs[0].Results[0].Locations[0].PhysicalLocation.Region.StartColumn
			if got != test.want {
				t.Errorf("column %d, want %d", got, test.want)
			}
		})
	}
}

func TestResultsThatNobodyCouldReadAreRefused(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(*sarif.Run)
		want  string
	}{
		"a rule that is not listed":  {func(r *sarif.Run) { r.Results[0].Rule = "PV099" }, `the rule "PV099" is not listed`},
		"a result without a file":    {func(r *sarif.Run) { r.Results[0].At.File = "" }, "it has no file"},
		"a related place without":    {func(r *sarif.Run) { r.Results[0].Related[0].File = "" }, "related location: it has no file"},
		"an edit without a place":    {func(r *sarif.Run) { r.Results[0].Fixes[0].Edits[0].End.Line = 0 }, "an edit has no place"},
		"a rule that is there twice": {func(r *sarif.Run) { r.Rules[1].ID = "PV001" }, "there twice"},
	} {
		t.Run(name, func(t *testing.T) {
			run := full()
			test.spoil(&run)
			err := run.Write(new(bytes.Buffer))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
}

func TestTheSameRunGivesTheSameBytes(t *testing.T) {
	first := encode(t, full())
	for range 20 {
		if !bytes.Equal(first, encode(t, full())) {
			t.Fatal("they differ")
		}
	}
}
