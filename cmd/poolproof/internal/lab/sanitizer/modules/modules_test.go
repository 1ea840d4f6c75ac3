package modules

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/results"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
)

func TestEachModuleIsThereOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, targets := range [][]Target{silent, judged} {
		for _, x := range targets {
			if seen[x.Module.Path] {
				t.Errorf("%s is there twice", x.Module.Path)
			}
			seen[x.Module.Path] = true
			if !strings.HasPrefix(x.Module.Version, "v") {
				t.Errorf("%s has no version", x.Module.Path)
			}
		}
	}
}

func TestVerdictsAreOfModulesThatRun(t *testing.T) {
	for _, v := range verdicts {
		found := false
		for _, x := range judged {
			found = found || strings.Contains(x.Module.String(), v.module)
		}
		if !found || v.is == "" || v.reason == "" || v.put == "" && v.access == "" {
			t.Errorf("%+v fits no module, or says nothing", v)
		}
	}
}

func surveyOf(t *testing.T, all ...result) *survey {
	t.Helper()
	return &survey{&suite.Survey[result]{Modes: []suite.Mode{suite.Plain, suite.Exact}, Log: &results.Log[result]{All: all}}}
}

func TestWhatFailsPlainlyIsNotTheSanitizers(t *testing.T) {
	x := Target{Module: suite.Module{Path: "example.com/m", Version: "v1.0.0"}}
	plain, exact := x.question(suite.Plain), x.question(suite.Exact)
	plain.Failed = []string{"m.TestOld"}
	exact.Failed = []string{"m.TestOld", "m.TestReuse"}
	exact.Depends, exact.Genuine = []string{"m.TestReuse"}, []string{"m.TestOld"}
	var out strings.Builder
	if wrong := printSilent(&out, surveyOf(t, plain, exact), []Target{x}); wrong != nil {
		t.Error(wrong)
	}
	if want := "| 1 fail | 0.0 | 1 depend on reuse, 1 fail plainly too | 0.0 |"; !strings.Contains(out.String(), want) {
		t.Errorf("%q is missing in\n%s", want, out.String())
	}
}

func TestAnErrorInAModuleThatHasToBeSilentIsWrong(t *testing.T) {
	x := Target{Module: suite.Module{Path: "example.com/m", Version: "v1.0.0"}}
	exact := x.question(suite.Exact)
	exact.Findings = []suite.Finding{{Kind: "double-put", Severity: "error", Put: "m.F:1", Access: "m.G:2"}, {Kind: "read-after-put", Severity: "warning"}}
	var out strings.Builder
	wrong := printSilent(&out, surveyOf(t, exact), []Target{x})
	if len(wrong) != 1 || !strings.Contains(wrong[0], "double-put at m.G:2, put at m.F:1") {
		t.Errorf("%q", wrong)
	}
	if want := "| not run | | 1 errors, 1 warnings | 0.0 |"; !strings.Contains(out.String(), want) {
		t.Errorf("%q is missing in\n%s", want, out.String())
	}
}

func TestAReportWithoutAVerdictIsNotJudged(t *testing.T) {
	old := verdicts
	defer func() { verdicts = old }()
	verdicts = []verdict{
		{module: "example.com/m", put: "m.(*T).Close", access: "m.Use m.Look", is: intended, reason: "it is"},
		{module: "example.com/m", access: "m.TestString", is: onlyTest, reason: "it keeps a string"},
	}
	x := Target{Module: suite.Module{Path: "example.com/m", Version: "v1.0.0"}}
	exact := x.question(suite.Exact)
	exact.Findings = []suite.Finding{
		{Kind: "double-put", Severity: "error", Put: "m.(*T).Close:1", Access: "m.Use:2"},
		{Kind: "read-after-put", Severity: "error", Put: "m.(*T).Close:1", Access: "m.Look:3"},
		{Kind: "double-put", Severity: "error", Put: "m.(*T).Close:1", Access: "m.Other:2"},
	}
	exact.Poisoned = []string{"m.TestString", "m.TestBytes"}
	var out strings.Builder
	problems := printJudged(&out, surveyOf(t, exact), []Target{x})
	if len(problems) != 2 || !strings.Contains(problems[0], "m.Other accesses") || !strings.Contains(problems[1], "m.TestBytes") {
		t.Errorf("%q", problems)
	}
	for _, want := range []string{
		"| double-put, read-after-put | m.(*T).Close | m.Use | 2 | intended: it is |",
		"| double-put | m.(*T).Close | m.Other | 1 | not judged |",
		"| fails only with poison |  | m.TestString | 1 | only in a test: it keeps a string |",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
}
