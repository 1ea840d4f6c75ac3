package record

import (
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
	if err := os.WriteFile(filepath.Join(root, "RESULT.json"), nil, 0o666); err != nil {
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
		{"a file that exists", "12 ns, in [the result](RESULT.json#x).", nil},
		{"a file that does not exist", "12 ns, in [the result](OTHER.json).", []int{1}},
		{"a page of the network", "12 ns, in [the result](https://example.org/RESULT.json).", []int{1}},
		{"a file in a span", "12 ns, in `./RESULT.json`.", nil},
		{"a heading is no place for a figure, nor one to look at", "## 12 ns\n", nil},
		{"a fenced block is one block", "```\n12 ns\n\n# go test -bench .\n```\n", nil},
	} {
		var lines []int
		for _, p := range unsourced(root, "docs/a.md", strings.ReplaceAll(strings.ReplaceAll(tt.text, "](RESULT", "](../RESULT"), "`./RESULT", "`../RESULT")) {
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
		Result: &study.Summary{Comparisons: []study.SummaryRow{
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
	good := study.Provenance{Revision: head, Binaries: []study.Digest{{ID: "test"}}, Rule: 1, Judged: 1, Program: study.Program{Engine: 1}}
	for want, change := range map[string]func(*study.Provenance){
		"":                            func(*study.Provenance) {},
		"names no revision":           func(p *study.Provenance) { p.Revision = "" },
		"differed from revision":      func(p *study.Provenance) { p.Dirty = true },
		"no digest of the binaries":   func(p *study.Provenance) { p.Binaries = nil },
		"not keep the versions":       func(p *study.Provenance) { p.Judged = 0 },
		"does not exist":              func(p *study.Provenance) { p.Revision = strings.Repeat("0", 40) },
		"is not in the history":       func(p *study.Provenance) { p.Revision = aside },
		"not keep the versions of en": func(p *study.Provenance) { p.Program.Engine = 0 },
	} {
		p := good
		change(&p)
		if got := origin(t.Context(), repository, p, true); !strings.Contains(got, want) || (want == "") != (got == "") {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestTheCheckNoticesAMutatedRecord changes the committed record in the ways in
// which it has been wrong, one at a time.
func TestTheCheckNoticesAMutatedRecord(t *testing.T) {
	dirs, err := committed.Folders(filepath.Join(repository, "studies"))
	if err != nil {
		t.Skip(err)
	}
	all, err := committed.Read(dirs)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(s committed.Study) bool {
		return s.Result != nil && len(s.Result.Claims) > 0 && filepath.Base(s.Dir) == "ordered-json"
	})
	if i < 0 {
		t.Fatal("the study ordered-json has no result")
	}
	note, err := os.ReadFile(all[i].Note())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, old, new, want string
	}{
		{"nothing", "", "", ""},
		{"a verdict", "| POSITIVE |", "| NEGATIVE |", "the note's verdict is"},
		{"the conclusion", " arms pay", " arms pay nowhere", "its conclusion"},
		{"the number of decided comparisons", "Status: 20 of", "Status: 19 of", "the status is not"},
		{"an outcome", "| reproduced ", "| opposite ", "its conclusion, its claims"},
		{"no conclusion", "<!-- conclusion -->", "<!-- -->", "it does not begin with its conclusion"},
		{"the day", " (measured)", " (design)", "(measured)"},
	} {
		root := t.TempDir()
		dir := filepath.Join(root, "studies", "ordered-json")
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(note), tt.old, tt.new)
		if tt.name != "nothing" && text == string(note) {
			t.Errorf("%s: the note has no %q", tt.name, tt.old)
			continue
		}
		one := all[i]
		one.Dir = dir
		table, err := committed.Index(filepath.Join(root, "studies"), []committed.Study{one})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(one.Note(), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		var said []string
		check := func(table []byte) {
			if err := os.WriteFile(filepath.Join(root, "studies", committed.IndexName), table, 0o666); err != nil {
				t.Fatal(err)
			}
			var f Finding
			if err := f.agree(root, []committed.Study{one}); err != nil {
				t.Fatal(err)
			}
			for _, p := range f.Problems {
				said = append(said, p.String())
			}
		}
		check(table)
		if got := strings.Join(said, "\n"); !strings.Contains(got, tt.want) || (tt.want == "") != (got == "") {
			t.Errorf("%s: said %q, want %q", tt.name, got, tt.want)
		}
		if tt.name == "nothing" {
			check(append(table, "more\n"...))
			if !strings.Contains(strings.Join(said, "\n"), "not the table of the committed results") {
				t.Errorf("a table that was changed is not noticed: %q", said)
			}
		}
	}
}
