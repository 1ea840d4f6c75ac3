package committed

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/note"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/studyfile"
)

const file = `title = "Slices"
question = "Does a pool pay?"
hypothesis = "It does."
source = "somewhere"
key = "arm"
baseline = "make"

[[benchmark]]
name = "work"
bench = "BenchmarkWork"

[[benchmark]]
name = "alone"
bench = "BenchmarkAlone"
isolated = true

[[arm]]
name = "make"
title = "makes it"

[[arm]]
name = "pool"
title = "from a pool"
expect.work = ["POSITIVE"]

[[claim]]
text = "A pool is 20 % faster"
arm = "pool"
benchmark = "work"
metric = "time"
class = "better"
size = "20 % less"
`

// judged is the verdict file of a run of that study: with all that a run knows, and
// of which a note prints a part.
func judged(f study.File) study.VerdictFile {
	yes := true
	e := study.Estimate{Effect: -0.2, Lo: -0.22, Hi: -0.18, Launches: 4, LaunchSD: 0.01, WithinSE: 0.02, Class: study.Better}
	count := study.Counter{Baseline: 1000, Candidate: 10, Moved: true}
	result := func(benchmark string, by study.Estimator) study.Result {
		r := study.Result{Comparison: benchmark + "/pool", Benchmark: benchmark, Arm: "pool", Baseline: "make", Isolated: benchmark == "alone", Verdict: study.Positive, Time: study.Better,
			Estimator: by, Deciding: e, MWall: e, MCPU: e, TWall: e, TCPU: e, LongWall: e, LongCPU: e, AsBuilt: &e, BaselineTime: 2000, CandidateTime: 1600,
			Bytes: count, Allocs: count, Launches: 9, Spent: study.Duration(time.Second), Cycles: [2]int{3, 4}, Foreign: 0.5,
			Extra: map[string][2]float64{"fills": {1, 2}}, Times: []study.LaunchTimes{{Launch: 1}},
			Reasons: []study.Reason{{Code: study.ReasonTime, Class: study.Better, Estimator: by, Estimate: &e, Share: 0.02}},
			Notes:   []study.Reason{{Code: study.NoteLaunch, Text: "10 pairs"}}}
		if benchmark == "work" {
			r.Expect, r.AsExpected = []study.Verdict{study.Positive}, &yes
		}
		return r
	}
	q := study.DefaultQuestion()
	q.Path = filepath.Dir(f.Path)
	comparison := func(benchmark string) study.Comparison {
		return study.Comparison{ID: benchmark + "/pool", Benchmark: benchmark, Arm: "pool", Baseline: "make",
			BaselineBench: study.Bench{Binary: "test", Leaf: "a"}, CandidateBench: study.Bench{Binary: "test", Leaf: "b"}, Isolated: benchmark == "alone"}
	}
	work := comparison("work")
	work.Expect = []study.Verdict{study.Positive}
	return study.VerdictFile{
		Schema: study.Schema, Judged: Present.Rule, Digest: "0123", Started: time.Date(2026, 3, 9, 1, 2, 3, 0, time.UTC), Spent: study.Duration(time.Minute), Launches: 18,
		Plan: study.Plan{
			Schema: study.Schema, Kind: study.KindStudy, Title: f.Title, Study: &f, Package: "m/p", Toolchain: "go1.26.8 linux/amd64", Engine: study.EngineDuet,
			Revision: "0123456789abcdef", Program: study.Program{Version: "v1.0.0", Engine: Present.Engine}, Command: q.Command(), Question: q,
			Rule:     study.Rule{Version: Present.Rule, Band: 0.02, Looks: []int{4, 5}},
			Binaries: []study.Binary{{ID: "test", SHA256: "aa"}, {ID: "test+1", SHA256: "bb", Layout: 1}}, Comparisons: []study.Comparison{work, comparison("alone")},
		},
		Results: []study.Result{
			result("work", study.Estimator{Kind: study.Total, Clock: study.Wall}),
			result("alone", study.Estimator{Kind: study.Long, Clock: study.CPU}),
		},
	}
}

func write(t *testing.T, dir, text string) study.File {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, study.FileName), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := studyfile.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func content(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The committed verdict.json leaves much out, and nothing that the note prints.
func TestTheNoteIsPrintedFromWhatIsCommittedAsFromTheRun(t *testing.T) {
	dir := t.TempDir()
	v := judged(write(t, dir, file))
	names, err := Update(dir, v)
	if err != nil || len(names) != 2 {
		t.Fatal(names, err)
	}
	read, err := Read([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	v.Claims = read[0].Verdict.Claims
	if len(v.Claims) != 1 || v.Claims[0].Outcome != study.Reproduced {
		t.Errorf("claims are %+v", v.Claims)
	}
	var b bytes.Buffer
	if err := note.Write(&b, v, Present); err != nil {
		t.Fatal(err)
	}
	if got := content(t, read[0].NoteName()); got != b.String() {
		t.Errorf("the committed note is\n%s\nthat of the run is\n%s", got, b.String())
	}
	for _, left := range []string{"layout\": 1", "launch_sd\": 0.03", `"times"`, `"t_wall"`, `"as_built"`, `"claims"`, `"study":`, `"leaf": "a"`} {
		if strings.Contains(content(t, names[0]), left) {
			t.Errorf("%s is committed", left)
		}
	}
	if v.Results[0].Times == nil || v.Plan.Study == nil || len(v.Plan.Binaries) != 2 || v.Plan.Comparisons[0].Arm == "" {
		t.Error("the run's own verdict was changed")
	}
}

func TestTheNoteFollowsItsStudyFile(t *testing.T) {
	dir := t.TempDir()
	if _, err := Update(dir, judged(write(t, dir, file))); err != nil {
		t.Fatal(err)
	}
	write(t, dir, strings.ReplaceAll(strings.ReplaceAll(file, "Slices", "Other slices"), "20 % less", "90 % less"))
	read, err := Read([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := read[0].Note(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# Other slices\n", "same direction, other size"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// What was expected before the first measurement stays on the page, through any
// number of updates.
func TestAChangedExpectationStaysOnThePage(t *testing.T) {
	dir := t.TempDir()
	v := judged(write(t, dir, file))
	if _, err := Update(dir, v); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		v = judged(*v.Plan.Study)
		for _, list := range []*[]study.Verdict{&v.Plan.Comparisons[0].Expect, &v.Results[0].Expect} {
			*list = []study.Verdict{study.NoChange, study.Positive}
		}
		names, err := Update(dir, v)
		if err != nil {
			t.Fatal(err)
		}
		if want := "POSITIVE before, NO CHANGE or POSITIVE now."; !strings.Contains(content(t, names[1]), want) {
			t.Errorf("the note does not say %q:\n%s", want, content(t, names[1]))
		}
	}
}

func TestAStudyWithoutAResultHasNoVerdict(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, file)
	if read, err := Read([]string{dir}); err != nil || read[0].Verdict != nil {
		t.Error(read, err)
	}
	if err := os.WriteFile(filepath.Join(dir, study.VerdictName), []byte(`{"schema": 1}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Read([]string{dir}); err == nil || !strings.Contains(err.Error(), "schema 1") {
		t.Errorf("another schema: %v", err)
	}
	if _, err := Update(dir, judged(write(t, dir, file))); err == nil {
		t.Error("a result that cannot be read is replaced, and what it expected is lost")
	}
}

func TestAReplacedMeasurementIsKept(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, study.FileName), []byte(file), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := studyfile.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	first := judged(f)
	again := judged(f)
	again.Spent, again.Started = first.Spent+1, first.Started.AddDate(0, 1, 0)
	third := judged(f)
	third.Spent = first.Spent + 2
	for i, tt := range []struct {
		v    study.VerdictFile
		kept int
	}{{first, 0}, {first, 0}, {again, 1}, {third, 2}, {again, 3}} {
		if _, err := Update(dir, tt.v); err != nil {
			t.Fatal(err)
		}
		s, err := Read([]string{dir})
		if err != nil {
			t.Fatal(err)
		}
		if got := s[0].Earlier; len(got) != tt.kept {
			t.Errorf("after %d updates %d measurements are kept, want %d", i+1, len(got), tt.kept)
		}
	}
	s, err := Read([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	if e := s[0].Earlier[0]; e.Measured != "2026-03-09" || e.Revision != first.Plan.Revision || len(e.Results) != len(first.Results) || e.Results[0].Effect != -0.2 || e.Results[0].Lo != -0.22 {
		t.Errorf("the first measurement is kept as %+v", e)
	}
	note, err := os.ReadFile(s[0].NoteName())
	if err != nil || !bytes.Contains(note, []byte("## Measured before")) {
		t.Errorf("the note does not have the earlier measurement: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, study.EarlierName), []byte("{}\nnonsense\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Read([]string{dir}); err == nil || !strings.Contains(err.Error(), study.EarlierName+":2:") {
		t.Errorf("a damaged line gives %v", err)
	}
}
