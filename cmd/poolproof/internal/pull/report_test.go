package pull

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sarif/sariftest"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func verdicts(list ...study.Verdict) study.VerdictFile {
	v := study.VerdictFile{Plan: study.Plan{Kind: study.KindBase, Module: "m", Package: "m/p"}}
	for i, verdict := range list {
		name := "Benchmark" + string(rune('A'+i))
		c := study.Comparison{ID: name, Benchmark: name, Arm: "working tree", Baseline: "main"}
		v.Plan.Comparisons = append(v.Plan.Comparisons, c)
		v.Results = append(v.Results, study.Result{Comparison: name, Benchmark: name, Arm: c.Arm, Baseline: c.Baseline, Verdict: verdict, Launches: 4,
			Time: study.Worse, Deciding: study.Estimate{Effect: 0.1, Lo: 0.08, Hi: 0.12, Launches: 4}, Bytes: study.Counter{Baseline: 64, Candidate: 128}})
	}
	return v
}

func TestOnlyWhatChangedIsWorthAComment(t *testing.T) {
	failed := verdicts(study.NotMeasured)
	failed.Results[0].Failed = &study.Failure{Side: "candidate", Text: "no luck"}
	for name, tt := range map[string]struct {
		report Report
		want   bool
		head   string
	}{
		"nothing":         {Report{Notes: []string{"x"}}, false, "nothing to report"},
		"no change":       {Report{Verdicts: []study.VerdictFile{verdicts(study.NoChange, study.Inconclusive, study.NotMeasured)}}, false, "nothing to report"},
		"worse":           {Report{Verdicts: []study.VerdictFile{verdicts(study.Negative, study.Negative)}}, true, "2 benchmarks are worse"},
		"better":          {Report{Verdicts: []study.VerdictFile{verdicts(study.Positive)}}, true, "1 benchmark is better"},
		"unsafe":          {Report{Verdicts: []study.VerdictFile{verdicts(study.Unsafe, study.TradeOff, study.Invalid)}}, true, "1 benchmark is UNSAFE, 1 benchmark is a trade-off, 1 comparison is invalid"},
		"failing":         {Report{Verdicts: []study.VerdictFile{failed}}, true, "1 benchmark fails"},
		"a misuse":        {Report{Misuses: []Misuse{{"vet", "x"}}}, true, "1 misuse of a pool"},
		"a broken test":   {Report{Broken: []string{"x"}}, true, "1 thing does not work"},
		"worse in second": {Report{Verdicts: []study.VerdictFile{verdicts(study.NoChange), verdicts(study.NoChange, study.Negative)}}, true, "1 benchmark is worse"},
	} {
		if got := tt.report.Worth(); got != tt.want {
			t.Errorf("%s: worth %t", name, got)
		}
		if got := tt.report.Headline(); got != tt.head {
			t.Errorf("%s: %q, want %q", name, got, tt.head)
		}
	}
}

func TestTheReportInMarkdown(t *testing.T) {
	r := Report{Base: "main (1234)", Command: "poolproof ci", Misuses: []Misuse{{"vet", "a.go:1: <b> @someone"}}, Verdicts: []study.VerdictFile{verdicts(study.Negative, study.NoChange, study.Inconclusive, study.NotMeasured)}}
	got := r.Markdown()
	for _, want := range []string{
		"### poolproof: 1 misuse of a pool, 1 benchmark is worse\n",
		"| `BenchmarkA` | **NEGATIVE** | +10.0 % [+8.0, +12.0] | 64 -> 128 (+100.0 %) | 0 -> 0 |\n",
		"- **vet**: a.go:1: &lt;b&gt; &#64;someone\n",
		"1 benchmark changed nothing that matters.\n",
		"<details><summary>1 benchmark not decided</summary>\n\n- `BenchmarkC`: ",
		"<details><summary>1 benchmark not measured</summary>\n\n- `BenchmarkD`: ",
		"<sub>Compared with main (1234). To repeat it: <code>poolproof ci</code></sub>\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	r.Verdicts = append(r.Verdicts, verdicts(study.Positive))
	if got := r.Markdown(); !strings.Contains(got, "| `p.BenchmarkA` | **POSITIVE** |") {
		t.Errorf("two packages without their names:\n%s", got)
	}
}

func TestAWorseBenchmarkHasAPlace(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "p")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "p_test.go"), []byte("package p\n\nfunc BenchmarkAB(b *testing.B) {}\nfunc BenchmarkA(b *testing.B) {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	r := Report{Base: "main", Verdicts: []study.VerdictFile{verdicts(study.Negative, study.NoChange, study.Unsafe)}}
	worse := r.Worse([]string{dir}, root)
	if len(worse) != 2 || worse[0].Place != (Place{"p/p_test.go", 4}) || worse[1].Place != (Place{"p", 1}) || !worse[1].Unsafe {
		t.Fatalf("%+v", worse)
	}
	if a := Annotations(worse); !strings.HasPrefix(a[0].String(), "::warning file=p/p_test.go,line=4") || !strings.HasPrefix(a[1].String(), "::error ") {
		t.Errorf("%v", a)
	}
	var b bytes.Buffer
	if err := SARIF(&b, worse, "v1"); err != nil {
		t.Fatal(err)
	}
	if err := sariftest.Validate(b.Bytes()); err != nil {
		t.Error(err)
	}
}
