package noise

import (
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus"
)

func TestTheTableCountsByTierAndJudgement(t *testing.T) {
	finding := func(tier, file, judgement string) Finding {
		f := Finding{Report: corpus.Report{Tier: tier, File: file}}
		if judgement != "" {
			f.Review = &Review{Judgement: judgement}
		}
		return f
	}
	m := Measurement{Module: Module{Name: "m", Version: "v1.0.0"}, Lines: 2500, CPU: 1500 * time.Millisecond, Findings: []Finding{
		finding("error", "a.go", True), finding("error", "a.go", False), finding("error", "a_test.go", False),
		finding("warning", "a.go", True), finding("warning", "a.go", True), finding("warning", "a.go", ByDesign), finding("warning", "a.go", Harmless),
		finding("warning", "a.go", ""), finding("warning", "a_test.go", False), finding("audit", "a.go", ""),
	}, Failures: []string{"m/broken"}}
	m.Path = "example.org/m"
	whole := Measurement{Module: Module{Name: "w", Path: "example.org/w", Version: "v1.0.0"}, Lines: 5000, Generated: 1000, Findings: []Finding{finding("error", "a.go", Harmless)}}
	std := Measurement{Module: Module{Name: "std", Version: "go1"}, Lines: 9000}
	var b strings.Builder
	Table(&b, []Measurement{m, whole, std})
	for _, want := range []string{
		"| m | v1.0.0 | 2.5 | 1.5 | 2 | 1 / 0 / 0 / 1 | 5 | 2 / 1 / 1 / 0 | 1 | 1 | 1 |\n",
		"\n2 modules, 1 of them as a whole: 4 kLoC beside 1 kLoC of generated code, in which nothing is reported. Error tier: 3 reports, 2 false alarms, 1 in 2 kLoC. Warnings: 5, 1 false alarms, 80 % no false alarms.\n",
		"\nThe standard library, counted apart: 1 modules, 1 of them as a whole: 9 kLoC. Error tier: 0 reports, 0 false alarms, none in 9 kLoC. Warnings: 0, 0 false alarms.\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}
