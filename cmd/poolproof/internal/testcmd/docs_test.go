package testcmd

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/finding"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

// guide is a section of docs/sanitizer.md.
func guide(t *testing.T, head string) string {
	t.Helper()
	text, err := os.ReadFile("../../../../docs/sanitizer.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(text), "\n## "+head+"\n")
	if !ok {
		t.Fatalf("docs/sanitizer.md has no section %q", head)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	return section
}

func TestTheGuidesJSONIsWhatTheProgramPrints(t *testing.T) {
	_, example, _ := strings.Cut(guide(t, "Output for machines"), "```json\n")
	example, _, _ = strings.Cut(example, "\n")
	d := json.NewDecoder(strings.NewReader(example))
	d.DisallowUnknownFields()
	var o finding.Object
	if err := d.Decode(&o); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(o); err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(b.String()); got != example {
		t.Errorf("the guide has\n%s\nthe program prints it as\n%s", example, got)
	}
}

// The words of classes are for programs of others, and the advice is not: one may change, the
// other not.
func TestTheAdviceForPeopleIsNotInTheJSON(t *testing.T) {
	words := []sanitize.Class{"build", "ended", "excused", "genuine", "killed", "poison", "reuse", "timeout", "unsteady"}
	if !slices.Equal(sanitize.Classes(), words) {
		t.Errorf("the classes are %q, programs know %q", sanitize.Classes(), words)
	}
	res := &sanitize.Result{Printer: &finding.Printer{Sites: &finding.Sites{}}}
	for _, c := range words {
		res.Failures = append(res.Failures, sanitize.Failure{Test: finding.Test{Package: "p", Name: "T"}, Class: c})
	}
	var b bytes.Buffer
	if err := lines(&b, res); err != nil {
		t.Fatal(err)
	}
	for _, c := range words {
		if want := `"class":"` + string(c) + `"`; !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, &b)
		}
		if c.Advice() == "" || strings.Contains(b.String(), c.Advice()) {
			t.Errorf("%s: its advice is missing, or in the JSON:\n%s", c, &b)
		}
	}
}

func TestTheGuideHasTheExitCodesOfTheProgram(t *testing.T) {
	with := func(s record.Severity) *sanitize.Result {
		return &sanitize.Result{Findings: []*finding.Finding{{Severity: s}}}
	}
	failed := func(c sanitize.Class) *sanitize.Result {
		return &sanitize.Result{Failures: []sanitize.Failure{{Class: c}}}
	}
	codes := []int{
		exitcode.Usage,
		testCode(new(sanitize.Result), sanitize.Options{}),
		testCode(with(record.Error), sanitize.Options{}),
		testCode(with(record.Warning), sanitize.Options{}),
		testCode(with(record.Warning), sanitize.Options{Strict: true}),
		testCode(&sanitize.Result{Interrupted: true}, sanitize.Options{}),
	}
	for _, c := range sanitize.Classes() {
		codes = append(codes, testCode(failed(c), sanitize.Options{}))
	}
	slices.Sort(codes)
	codes = slices.Compact(codes)

	if got := numbers(t, `(?m)^\| (\d+) \|`, guide(t, "Output for machines")); !slices.Equal(got, codes) {
		t.Errorf("the guide has the exit codes %d, the program %d", got, codes)
	}
	_, help, _ := strings.Cut(testHelp, "exit codes:")
	help, _, _ = strings.Cut(help, "examples:")
	if got := numbers(t, `(?:^|;)\s+(\d+) `, help); !slices.Equal(got, codes) {
		t.Errorf("the help has the exit codes %d, the program %d", got, codes)
	}
	for code, r := range map[int]*sanitize.Result{exitcode.Findings: failed(sanitize.Poisoned), exitcode.Build: failed(sanitize.Genuine)} {
		if got := testCode(r, sanitize.Options{}); got != code {
			t.Errorf("%s: %d, the guide says %d", r.Failures[0].Class, got, code)
		}
	}
}

func numbers(t *testing.T, pattern, text string) (all []int) {
	t.Helper()
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, n)
	}
	return all
}
