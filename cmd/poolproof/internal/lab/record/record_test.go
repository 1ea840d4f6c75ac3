package record

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/committed"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/git"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// repository is the root of this one.
var repository = filepath.Join("..", "..", "..", "..", "..")

// TestTheRecordKeepsItsPromises is the whole check, which takes a second.
func TestTheRecordKeepsItsPromises(t *testing.T) {
	if _, err := os.Stat(filepath.Join(repository, "studies")); err != nil {
		t.Skip("the studies are a module of their own, and are not here")
	}
	f, err := Check(t.Context(), repository)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range f.Problems {
		t.Error(p)
	}
	for _, s := range f.Skipped {
		t.Log("skipped:", s)
	}
	t.Log(f.Checked)
}

func TestAFigureNamesACommandOrAFile(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "RECORD.json"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, text string
		lines      []int // where a problem is
	}{
		{"a bare figure", "# a\n\n## b\n\nIt is 1.36x as fast.", []int{5}},
		{"each form of a figure", "12 ns\n\n3.5 µs\n\n(12 %)\n\n[1.2x, 3x]\n\n200 MB/s\n\n4 allocs/op\n\n1 in 81 kLoC\n\n| 1.74 | 2 |\n\n~15ms\n\n8 times", []int{1, 3, 5, 7, 9, 11, 13, 15, 17, 19}},
		{"no figure", "The limit is 64 KiB; Go 1.26; RFC 6762; 12 bytes; v1.2.3; n = 1.5", nil},
		{"a command in the paragraph", "`go test -bench .` prints 12 ns.", nil},
		{"a command in the section", "## a\n\n    go test -bench .\n\n| 1.74 | 2.00 |\n", nil},
		{"a command in another section", "## a\n\n    go test -bench .\n\n## b\n\n12 ns", []int{7}},
		{"a command in the section around it", "## a\n\n    go test -bench .\n\n### b\n\n12 ns", nil},
		{"a command in a section below", "## a\n\n12 ns\n\n### b\n\n    go test -bench .\n", []int{3}},
		{"a command below the title alone", "# a\n\n    go test -bench .\n\n## b\n\n12 ns", []int{7}},
		{"a file that exists", "12 ns, in [the result](RECORD.json#x).", nil},
		{"a file that does not exist", "12 ns, in [the result](OTHER.json).", []int{1}},
		{"a page of the network", "12 ns, in [the result](https://example.org/RECORD.json).", []int{1}},
		{"a file in a span", "12 ns, in `./RECORD.json`.", nil},
		{"a heading is no place for a figure, nor one to look at", "## 12 ns\n", nil},
		{"a fenced block is one block", "```\n12 ns\n\n# go test -bench .\n```\n", nil},
	} {
		var lines []int
		for _, p := range unsourced(root, "docs/a.md", strings.ReplaceAll(strings.ReplaceAll(tt.text, "](RECORD", "](../RECORD"), "`./RECORD", "`../RECORD")) {
			lines = append(lines, p.Line)
		}
		if !slices.Equal(lines, tt.lines) {
			t.Errorf("%s: problems in lines %v, want %v", tt.name, lines, tt.lines)
		}
	}
}

func TestAnEffectThatIsQuotedIsThatOfANote(t *testing.T) {
	const notes = "| pool | -12.0 % [-14.0, -10.0] | 5.20x less [4.10, 6.30] |"
	for _, tt := range []struct {
		name, text string
		lines      []int
	}{
		{"quoted", "## a\n\nSee studies/one.\n\n| -12.0 % [-14.0, -10.0] | 5.20x less [4.10, 6.30] |", nil},
		{"of another measurement", "## a\n\nSee studies/one.\n\n| -12.0 % [-14.0, -10.0] |\n| -12.1 % [-14.0, -10.0] |\n| 5.30x less [4.10, 6.30] |", []int{6, 7}},
		{"of no study", "## a\n\n    go test -bench .\n\n-99.0 % [-99.1, -98.9]\n\n## b\n\nSee studies/one.", nil},
	} {
		var lines []int
		for _, p := range misquoted("a.md", tt.text, notes) {
			lines = append(lines, p.Line)
		}
		if !slices.Equal(lines, tt.lines) {
			t.Errorf("%s: problems in lines %v, want %v", tt.name, lines, tt.lines)
		}
	}
}

func TestAnExceptionHasAReasonAndIsNeeded(t *testing.T) {
	for _, bad := range []string{"a | b", "a | b | ", "a |  | c", "nonsense"} {
		if _, err := readExceptions("# said\n\n" + bad); err == nil || !strings.Contains(err.Error(), "exceptions.txt:3") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	allowed, err := readExceptions("a.md | 12 ns | a rule\na.md | 13 ns | gone\n")
	if err != nil {
		t.Fatal(err)
	}
	left, stale := without([]Problem{{File: "a.md", Says: "it takes 12 ns"}, {File: "b.md", Says: "it takes 12 ns"}}, allowed)
	if len(left) != 1 || left[0].File != "b.md" || len(stale) != 1 || !strings.Contains(stale[0].Text, `"13 ns" of a.md is not needed`) {
		t.Errorf("left are %v, stale %v", left, stale)
	}
}

func TestAClaimHasASizeOrSaysWhyNot(t *testing.T) {
	file := study.File{Claims: []study.Claim{
		{Text: "a", Size: "2x less", Class: study.Better}, {Text: "b", NoSize: "none given", Class: study.Better}, {Text: "c", Class: study.Same}, {Text: "d", Class: study.Worse},
	}}
	if got := sizeless("study.toml", file); len(got) != 1 || !strings.Contains(got[0].Text, `"d"`) {
		t.Errorf("problems are %v", got)
	}
}

func TestAnExpectationCanBeMissed(t *testing.T) {
	file := study.File{Arms: []study.Arm{
		{Name: "a", Expect: map[string][]study.Verdict{"x": {study.Positive, study.NoChange, study.Inconclusive}, "y": {study.Negative, study.TradeOff}}},
		{Name: "b", Expect: map[string][]study.Verdict{"x": {study.Positive}, "y": {study.NoChange, study.Negative, study.Positive}}},
	}}
	if got := unmissable("study.toml", file); len(got) != 1 || !strings.Contains(got[0].Text, `"b" expects of "y"`) {
		t.Errorf("problems are %v", got)
	}
}

func TestAnExpectationThatWasChangedSaysSo(t *testing.T) {
	s := committed.Study{
		File: study.File{Arms: []study.Arm{
			{Name: "a", Expect: map[string][]study.Verdict{"x": {study.Positive}, "y": {study.Positive}, "z": {study.Positive}, "w": {study.Positive}},
				Before: map[string][]study.Verdict{"z": {study.Negative}}},
		}},
		Verdict: &study.VerdictFile{Results: []study.Result{
			{Benchmark: "x", Arm: "a", Expect: []study.Verdict{study.Positive}},
			{Benchmark: "y", Arm: "a", Expect: []study.Verdict{study.Negative}},
			{Benchmark: "z", Arm: "a", Expect: []study.Verdict{study.Negative}},
			{Benchmark: "w", Arm: "a"},
			{Benchmark: "v", Arm: "a", Expect: []study.Verdict{study.Positive, study.NoChange, study.Negative}},
			{Benchmark: "gone", Arm: "b", Expect: []study.Verdict{study.Negative}},
		}},
	}
	if got := revised("study.toml", s); len(got) != 1 || !strings.Contains(got[0].Text, `of "y"`) {
		t.Errorf("problems are %v", got)
	}
}

func TestAResultComesFromACleanRevisionOfTheHistory(t *testing.T) {
	repository := t.TempDir() // with a commit on another branch
	run := func(args ...string) string {
		out, err := git.Text(t.Context(), repository, append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
		if err != nil {
			t.Skip(err)
		}
		return out
	}
	run("init", "-q")
	run("commit", "-q", "--allow-empty", "-m", "a")
	head := run("rev-parse", "HEAD")
	run("commit", "-q", "--allow-empty", "-m", "b")
	aside := run("rev-parse", "HEAD")
	run("reset", "-q", "--hard", head)
	run("commit", "-q", "--allow-empty", "-m", "c")
	good := study.VerdictFile{Judged: 1, Plan: study.Plan{Revision: head, Binaries: []study.Binary{{ID: "test"}}, Rule: study.Rule{Version: 1}, Program: study.Program{Engine: 1}}}
	for want, change := range map[string]func(*study.VerdictFile){
		"":                            func(*study.VerdictFile) {},
		"names no revision":           func(v *study.VerdictFile) { v.Plan.Revision = "" },
		"differed from revision":      func(v *study.VerdictFile) { v.Plan.Dirty = true },
		"no digest of the binaries":   func(v *study.VerdictFile) { v.Plan.Binaries = nil },
		"not keep the versions":       func(v *study.VerdictFile) { v.Judged = 0 },
		"does not exist":              func(v *study.VerdictFile) { v.Plan.Revision = strings.Repeat("0", 40) },
		"is not in the history":       func(v *study.VerdictFile) { v.Plan.Revision = aside },
		"not keep the versions of en": func(v *study.VerdictFile) { v.Plan.Program.Engine = 0 },
	} {
		p := good
		change(&p)
		if got := origin(t.Context(), repository, p, true); !strings.Contains(got, want) || (want == "") != (got == "") {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestTheCheckNoticesAMutatedRecord changes a note, the table and the result that
// both are printed from, one at a time.
func TestTheCheckNoticesAMutatedRecord(t *testing.T) {
	dirs, err := committed.Folders(filepath.Join(repository, "studies"))
	if err != nil {
		t.Skip(err)
	}
	i := slices.IndexFunc(dirs, func(dir string) bool { return filepath.Base(dir) == "ordered-json" })
	if i < 0 {
		t.Fatal("there is no study ordered-json")
	}
	for _, tt := range []struct{ name, file, old, new, want string }{
		{"nothing", study.NoteName, "", "", ""},
		{"a verdict of the note", study.NoteName, "| POSITIVE |", "| NEGATIVE |", "| POSITIVE |"},
		{"the conclusion", study.NoteName, " arms pay", " arms pay nowhere", " arms pay"},
		{"the status", study.NoteName, "comparisons decided", "comparisons open", "comparisons decided"},
		{"the day", study.NoteName, " (measured)", " (design)", " (measured)"},
		{"the end", study.NoteName, "\n", "", "\\n"},
		{"no note", study.NoteName, "*", "", "# "},
		{"a verdict of the result", study.VerdictName, `"verdict": "POSITIVE"`, `"verdict": "NEGATIVE"`, "NEGATIVE"},
		{"a time of the result", study.VerdictName, `"effect": -0.`, `"effect": -0.9`, "-9"},
		{"the title of the study", study.FileName, "title = \"", "title = \"Not ", "# Not "},
		{"no result", study.VerdictName, "*", "", "there is no verdict.json"},
		{"the table", filepath.Join("..", committed.IndexName), "\n", "\nmore\n", "prints it again"},
	} {
		root := t.TempDir()
		dir := filepath.Join(root, "studies", "ordered-json")
		read := func() []committed.Study {
			all, err := committed.Read([]string{dir})
			if err != nil {
				t.Fatal(err)
			}
			return all
		}
		for _, name := range []string{study.FileName, study.VerdictName} {
			text, err := os.ReadFile(filepath.Join(dirs[i], name))
			if err == nil {
				err = study.WriteFile(filepath.Join(dir, name), func(w io.Writer) error { _, err := w.Write(text); return err })
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		all := read()
		if err := study.WriteFile(all[0].NoteName(), all[0].Note); err != nil {
			t.Fatal(err)
		}
		table, err := committed.Index(filepath.Join(root, "studies"), all)
		if err == nil {
			err = os.WriteFile(filepath.Join(root, "studies", committed.IndexName), table, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(dir, tt.file)
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		changed := strings.ReplaceAll(string(text), tt.old, tt.new)
		switch {
		case tt.old == "*":
			err = os.Remove(name)
		case tt.name == "the end":
			err = os.WriteFile(name, text[:len(text)-1], 0o666)
		case tt.name != "nothing" && changed == string(text):
			t.Errorf("%s: the file has no %q", tt.name, tt.old)
		default:
			err = os.WriteFile(name, []byte(changed), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		var f Finding
		if err := f.printed(root, read()); err != nil {
			t.Fatal(err)
		}
		var said []string
		for _, p := range f.Problems {
			said = append(said, p.String())
		}
		if got := strings.Join(said, "\n"); !strings.Contains(got, tt.want) && tt.name != "the end" || (tt.name == "nothing") != (got == "") {
			t.Errorf("%s: said %q, want %q", tt.name, got, tt.want)
		}
	}
}
