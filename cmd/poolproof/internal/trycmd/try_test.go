package trycmd

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestFlagsStandBeforeAndAfterPackages(t *testing.T) {
	for _, line := range []string{
		"-vary arm -bench . ./p", "./p -vary arm -bench .", "-vary arm ./p -bench .", "-vary=arm --bench=. -- ./p",
	} {
		f, err := parseTry(strings.Fields(line))
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if f.Key != "arm" || f.Bench != "." || !slices.Equal(f.args, []string{"./p"}) {
			t.Errorf("%s: -vary %q -bench %q of %q", line, f.Key, f.Bench, f.args)
		}
	}
}

func TestTwoDashesEndTheFlags(t *testing.T) {
	f, err := parseTry([]string{"-aa", "--", "-p"})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(f.args, []string{"-p"}) {
		t.Errorf("arguments %q", f.args)
	}
}

func TestAQuestionSurvivesItsPlanAndItsCommand(t *testing.T) {
	for _, line := range []string{
		"-aa",
		"-aa -bench Loop|JSON -budget 20s -seed 7",
		"-aa -tags a,b -clock cpu -timeout 3s ./p",
		"-vary arm -baseline pool -bench . -matrix GOGC=100,off -threshold 0.5% -sanitize=false -layout=false ./p",
		"-aa -- -p",
		"./study -threshold 3%",
		"-base v1 ./p",
		"-site p.go:12:3@240,q.go:1 -threshold 3% ./p",
		"-patch p.diff -from-test . ./p",
		"-base HEAD~3 -head main -bench . -matrix GOGC=100,off ./p",
	} {
		asked := questionOf(t, strings.Fields(line))
		text, err := json.Marshal(asked)
		if err != nil {
			t.Fatal(err)
		}
		var kept study.Question
		if err := json.Unmarshal(text, &kept); err != nil || kept != asked {
			t.Errorf("%s: %+v after %s, %v", line, kept, text, err)
		}
		command := asked.Command()
		if !slices.Equal(command[:2], []string{"poolproof", "try"}) {
			t.Fatalf("%s: command %q", line, command)
		}
		if again := questionOf(t, command[2:]); again != asked {
			t.Errorf("%s: %q asks another question (-first +again):\n%s", line, command, cmp.Diff(asked, again))
		}
	}
}

func questionOf(t *testing.T, args []string) study.Question {
	t.Helper()
	f, err := parseTry(args)
	if err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	if len(f.args) == 0 {
		return f.of("")
	}
	return f.of(f.args[0])
}

func TestHelpNamesEveryFlagOnce(t *testing.T) {
	help := Help()
	for _, o := range new(tryFlags).all() {
		if n := len(regexp.MustCompile(`(?m)^\t-`+o.name+`[ =]`).FindAllString(help, -1)); n != 1 || len(o.modes) == 0 {
			t.Errorf("-%s stands %d times in the list of flags, and goes with %d modes", o.name, n, len(o.modes))
		}
	}
}

func TestFoldersOfTheSameNameGetDifferentResults(t *testing.T) {
	tests := []struct{ dirs, want []string }{
		{[]string{"studies/a", "studies/b"}, []string{"a", "b"}},
		{[]string{"x/a", "y/a", "y/b"}, []string{"x-a", "y-a", "b"}},
		{[]string{"../x/a", "y/a"}, []string{"x-a", "y-a"}},
	}
	for _, tt := range tests {
		dirs := make([]string, len(tt.dirs))
		for i, d := range tt.dirs {
			dirs[i] = filepath.FromSlash(d)
		}
		if got := namesOf(dirs); !slices.Equal(got, tt.want) {
			t.Errorf("namesOf(%q) = %q, want %q", dirs, got, tt.want)
		}
	}
}

func TestTheExitCodeOfVerdicts(t *testing.T) {
	yes, no := true, false
	type comparison struct {
		verdict  study.Verdict
		expected *bool
		launches int
		failed   bool
	}
	tests := []struct {
		name   string
		cs     []comparison
		strict bool
		want   int
	}{
		{"nothing expected, anything found", []comparison{{verdict: study.Negative, launches: 4}}, false, exitcode.OK},
		{"as expected", []comparison{{verdict: study.Negative, expected: &yes}}, true, exitcode.OK},
		{"not as expected", []comparison{{verdict: study.Positive, expected: &no}}, false, exitcode.Findings},
		{"undecided", []comparison{{verdict: study.Inconclusive}}, false, exitcode.OK},
		{"undecided, strictly", []comparison{{verdict: study.Inconclusive}}, true, exitcode.Undecided},
		{"invalid, strictly", []comparison{{verdict: study.Invalid}}, true, exitcode.Undecided},
		{"invalid as expected, strictly", []comparison{{verdict: study.Invalid, expected: &yes}}, true, exitcode.OK},
		{"a benchmark failed", []comparison{{verdict: study.NotMeasured, failed: true}}, false, exitcode.Build},
		{"the budget did not reach it", []comparison{{verdict: study.NotMeasured}}, true, exitcode.OK},
		{"unsafe before not as expected", []comparison{{verdict: study.Positive, expected: &no}, {verdict: study.Unsafe}}, true, exitcode.Unsafe},
		{"not as expected before undecided", []comparison{{verdict: study.Inconclusive}, {verdict: study.Positive, expected: &no}}, true, exitcode.Findings},
		{"failed before unsafe", []comparison{{verdict: study.Unsafe}, {verdict: study.NotMeasured, failed: true}}, true, exitcode.Build},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var v study.VerdictFile
			for _, c := range tt.cs {
				r := study.Result{Verdict: c.verdict, AsExpected: c.expected, Launches: c.launches}
				if c.failed {
					r.Failed = &study.Failure{Text: "no luck"}
				}
				v.Results = append(v.Results, r)
			}
			if got := codeOf(v, tt.strict); got != tt.want {
				t.Errorf("exit code %d, want %d", got, tt.want)
			}
		})
	}
}

func TestTheStrongestExitCodeWins(t *testing.T) {
	order := []int{exitcode.Interrupted, exitcode.Usage, exitcode.Build, exitcode.Unsafe, exitcode.Findings, exitcode.Undecided, exitcode.OK}
	for i, strong := range order {
		for _, weak := range order[i:] {
			if got := exitcode.Highest(weak, strong); got != strong {
				t.Errorf("Highest(%d, %d) = %d", weak, strong, got)
			}
		}
	}
}

func TestANegativeAnswerToBaseIsAFinding(t *testing.T) {
	for verdict, want := range map[study.Verdict]int{
		study.Negative: exitcode.Findings, study.Positive: exitcode.OK, study.TradeOff: exitcode.OK, study.NoChange: exitcode.OK, study.Inconclusive: exitcode.OK,
	} {
		v := study.VerdictFile{Plan: study.Plan{Kind: study.KindBase, Comparisons: make([]study.Comparison, 2)},
			Results: []study.Result{{Verdict: study.NoChange}, {Verdict: verdict}}}
		if got := codeOf(v, false); got != want {
			t.Errorf("%s: exit code %d, want %d", verdict, got, want)
		}
		v.Plan.Kind = study.KindVary
		if got := codeOf(v, false); got != exitcode.OK {
			t.Errorf("%s of -vary: exit code %d", verdict, got)
		}
	}
}

func TestAVariantThatCannotBeBuiltIsNoSuccess(t *testing.T) {
	for evidence, want := range map[string]int{"compiler": exitcode.Build, "user": exitcode.OK} {
		v := study.VerdictFile{Plan: study.Plan{Kind: study.KindSite, Variants: []study.ListedVariant{
			{ID: "a", Evidence: evidence, Unbuilt: "undefined: x"}, {ID: "b", Evidence: evidence},
		}}}
		if got := codeOf(v, false); got != want {
			t.Errorf("%s: %d, want %d", evidence, got, want)
		}
	}
}
