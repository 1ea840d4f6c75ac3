package words

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Every code that package study lists has words of its own: a code without
// them would be printed as it is.
func TestEveryReasonHasWords(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../study/reason.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var codes []study.ReasonCode
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == 1 {
			if lit, ok := spec.Values[0].(*ast.BasicLit); ok {
				s, _ := strconv.Unquote(lit.Value)
				codes = append(codes, study.ReasonCode(s))
			}
		}
		return true
	})
	if len(codes) < 20 {
		t.Fatalf("found only %q", codes)
	}
	mWall := study.Estimator{Kind: study.Mutator, Clock: study.Wall}
	e := study.Estimate{Effect: 0.1, Lo: 0.08, Hi: 0.12, Launches: 4}
	seen := map[string]study.ReasonCode{}
	for _, code := range codes {
		why := study.Reason{
			Code: code, Text: "its words", Side: "candidate", Unit: "made/op", Class: study.Worse, Estimator: mWall, Estimate: &e,
			Other: mWall, OtherClass: study.Better, OtherEstimate: &e, Counter: &study.Counter{Baseline: 3, Candidate: 4}, Share: 0.05, Bound: 0.01,
			Count: 20, Counts: &[2]int{3, 4}, Took: study.Duration(time.Second), Slot: study.Duration(time.Millisecond),
			Because: []study.Reason{{Code: study.ReasonIsolated}},
		}
		r := study.Result{Reasons: []study.Reason{why}, Metrics: []study.MetricResult{{Unit: "made/op", Exact: true, Baseline: 3, Candidate: 4}}}
		s := Reasons(r)[0]
		if s == string(code) || s == "" || strings.Contains(s, "%!") || strings.HasSuffix(s, ".") {
			t.Errorf("%s is worded %q", code, s)
		}
		if other, ok := seen[s]; ok && s != "its words" {
			t.Errorf("%s and %s are both worded %q", code, other, s)
		}
		seen[s] = code
	}
}
