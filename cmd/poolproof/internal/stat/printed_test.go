package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// printedSide makes lines of some processes with the same number of lines each. ns
// gives the time of a line.
func printedSide(processes, lines int, bytes, allocs float64, ns func(process, line int) float64) study.Printed {
	p := study.Printed{Name: "BenchmarkX-2", Package: "m"}
	for k := range processes {
		for i := range lines {
			p.Process, p.N, p.Time = append(p.Process, k+1), append(p.N, 1000), append(p.Time, ns(k, i))
			p.Bytes, p.Allocs = append(p.Bytes, bytes), append(p.Allocs, allocs)
		}
	}
	return p
}

// steadily is a time with one in a thousand of noise, the same every time.
func steadily(ns float64) func(int, int) float64 {
	return func(k, i int) float64 { return ns * (1 + 0.001*float64((k+i)%3-1)) }
}

func TestWhatLinesCanTell(t *testing.T) {
	base := printedSide(1, 10, 64, 2, steadily(1000))
	without := func(p study.Printed) study.Printed { p.Bytes, p.Allocs = nil, nil; return p }
	tests := []struct {
		name      string
		candidate study.Printed
		elsewhere string
		verdict   study.Verdict
		time, mem study.Class
	}{
		{"the same", printedSide(1, 10, 64, 2, steadily(1000)), "", study.Inconclusive, study.Unresolved, study.Same},
		{"less memory, the same time", printedSide(1, 10, 0, 0, steadily(1000)), "", study.Inconclusive, study.Unresolved, study.Better},
		{"less memory, less time than a drift makes", printedSide(1, 10, 0, 0, steadily(700)), "", study.Positive, study.NotWorse, study.Better},
		{"less memory, more time", printedSide(1, 10, 0, 0, steadily(1500)), "", study.Inconclusive, study.Unresolved, study.Better},
		{"more memory", printedSide(1, 10, 128, 4, steadily(1000)), "", study.Negative, study.Unresolved, study.Worse},
		{"half the time alone", printedSide(1, 10, 64, 2, steadily(500)), "", study.Inconclusive, study.NotWorse, study.Same},
		{"twice the time alone", printedSide(1, 10, 64, 2, steadily(2000)), "", study.Inconclusive, study.Unresolved, study.Same},
		{"a ninth of the time, which a drift leaves below the factor", printedSide(1, 10, 64, 2, steadily(1000/9.)), "", study.Inconclusive, study.NotWorse, study.Same},
		{"a tenth of the time", printedSide(1, 10, 64, 2, steadily(100)), "", study.Positive, study.Better, study.Same},
		{"ten times the time", printedSide(1, 10, 64, 2, steadily(10000)), "", study.Negative, study.Worse, study.Same},
		{"a tenth of the time on another machine", printedSide(1, 10, 64, 2, steadily(100)), "cpu", study.Inconclusive, study.Unresolved, study.Same},
		{"a tenth of the time and more memory", printedSide(1, 10, 128, 2, steadily(100)), "", study.TradeOff, study.Better, study.Worse},
		{"one line", printedSide(1, 1, 0, 0, steadily(100)), "", study.Inconclusive, study.Unresolved, study.Better},
		{"no counters", without(printedSide(1, 10, 0, 0, steadily(100))), "", study.Inconclusive, study.Better, study.Unresolved},
		{"bytes up, allocations down", printedSide(1, 10, 256, 1, steadily(100)), "", study.Positive, study.Better, study.Mixed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Printed(DefaultRule(), base, tt.candidate, tt.elsewhere)
			if got.Verdict != tt.verdict || got.Time != tt.time || got.Memory != tt.mem || !got.Sequential {
				t.Errorf("%s, time %s, memory %s, sequential %t; want %s, %s, %s", got.Verdict, got.Time, got.Memory, got.Sequential, tt.verdict, tt.time, tt.mem)
			}
		})
	}
}

// TestAProcessIsTheUnit draws lines of which those of a process share a part: over
// lines the interval would be far too narrow.
func TestAProcessIsTheUnit(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	missed := 0
	const runs = 400
	for range runs {
		var sides [2]study.Printed
		for i := range sides {
			shared := make([]float64, 5)
			for k := range shared {
				shared[k] = math.Exp(0.1 * rng.NormFloat64())
			}
			sides[i] = printedSide(5, 10, 0, 0, func(k, _ int) float64 { return 1000 * shared[k] * math.Exp(0.001*rng.NormFloat64()) })
		}
		logs, lines := logsPrinted(sides)
		if lines || len(logs[0]) != 5 {
			t.Fatalf("%d units, lines %t", len(logs[0]), lines)
		}
		if iv := welch(logs[0], logs[1], 0.05); iv.lo > 0 || iv.hi < 0 {
			missed++
		}
	}
	// 5 % of 400, and four standard deviations.
	if missed > 20+18 {
		t.Errorf("the interval of 95 %% missed the truth in %d of %d runs", missed, runs)
	}
}

// TestWelchIsThatOfTheTextbooks has the standard error and the degrees of freedom
// (Satterthwaite) of two small samples, worked out by hand.
func TestWelchIsThatOfTheTextbooks(t *testing.T) {
	iv := welch([]float64{1, 2, 3, 4}, []float64{2, 4, 6, 9, 9}, 0.05)
	half := tQuantile(0.975, 5.58841110682607) * 1.5220600075774497
	if math.Abs(iv.mean-3.5) > 1e-12 || math.Abs(iv.hi-3.5-half) > 1e-9 || math.Abs(iv.lo-3.5+half) > 1e-9 || iv.n != 4 {
		t.Errorf("%+v, want 3.5 and %.4f on both sides", iv, half)
	}
	if iv := welch([]float64{1, 1}, []float64{2, 2}, 0.05); iv.lo != 1 || iv.hi != 1 {
		t.Errorf("without noise %+v", iv)
	}
}

func TestLinesThatDoNotAgreeMoveNoCounter(t *testing.T) {
	a, b := printedSide(1, 4, 100, 2, steadily(1000)), printedSide(1, 4, 100, 2, steadily(500))
	copy(a.Bytes, []float64{100, 400, 100, 420})
	copy(b.Bytes, []float64{300, 300, 310, 90})
	if got := Printed(DefaultRule(), a, b, ""); got.Memory != study.Unresolved || !got.Bytes.Unsteady {
		t.Errorf("memory %s, %+v", got.Memory, got.Bytes)
	}
	copy(b.Bytes, []float64{30, 30, 31, 9})
	if got := Printed(DefaultRule(), a, b, ""); got.Memory != study.Better {
		t.Errorf("memory %s, %+v", got.Memory, got.Bytes)
	}
}

// TestNothingIsClaimedOfAProgramAgainstItself judges files of the same program on a
// machine whose speed drifts by up to 13 % between the files.
func TestNothingIsClaimedOfAProgramAgainstItself(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 1000 {
		speed := math.Exp(math.Log(1.13) * (2*rng.Float64() - 1))
		noise := func(ns float64) func(int, int) float64 {
			return func(int, int) float64 { return ns * math.Exp(0.02*rng.NormFloat64()) }
		}
		got := Printed(DefaultRule(), printedSide(1, 10, 64, 2, noise(1000)), printedSide(1, 10, 64, 2, noise(1000*speed)), "")
		if got.Verdict != study.Inconclusive {
			t.Fatalf("%s by %+v", got.Verdict, got.Deciding)
		}
	}
}

func TestFilesAreJoinedByPackageAndName(t *testing.T) {
	line := func(pkg, name string) study.Printed {
		p := printedSide(1, 3, 64, 2, steadily(1000))
		p.Package, p.Name = pkg, name
		return p
	}
	file := func(name string, list ...study.Printed) study.PrintedFile {
		return study.PrintedFile{Name: name, Benchmarks: list}
	}
	v, err := JudgePrinted(file("old.txt", line("m/a", "BenchmarkX-2"), line("m/b", "BenchmarkX-2"), line("m/b", "BenchmarkY-2"), line("m/b", "BenchmarkZ-2")),
		file("new.txt", line("m/b", "BenchmarkX-2"), line("m/a", "BenchmarkX-2"), line("m/b", "BenchmarkY-4"), line("m/b", "BenchmarkNew-2")), study.Question{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"a.BenchmarkX-2": "", "b.BenchmarkX-2": "", "b.BenchmarkY-2": "only in old.txt; new.txt has BenchmarkY-4, with another GOMAXPROCS",
		"b.BenchmarkZ-2": "only in old.txt", "b.BenchmarkY-4": "only in new.txt; old.txt has BenchmarkY-2, with another GOMAXPROCS", "b.BenchmarkNew-2": "only in new.txt",
	}
	if len(v.Results) != len(want) {
		t.Errorf("%d results", len(v.Results))
	}
	for i, r := range v.Results {
		why, ok := want[r.Benchmark]
		if !ok || v.Plan.Comparisons[i].Skipped != why || (r.Verdict == study.NotMeasured) != (why != "") {
			t.Errorf("%s: %s, %q", r.Benchmark, r.Verdict, v.Plan.Comparisons[i].Skipped)
		}
	}
}

func TestFilesThatCannotBeCompared(t *testing.T) {
	one := []study.Printed{printedSide(1, 3, 64, 2, steadily(1000))}
	other := printedSide(1, 3, 64, 2, steadily(1000))
	other.Package = "renamed"
	for name, files := range map[string][2]study.PrintedFile{
		"a is of linux/amd64, b of linux/arm64: benchmarks of different systems are not compared": {
			{Name: "a", Benchmarks: one, Systems: []string{"linux/amd64"}}, {Name: "b", Benchmarks: one, Systems: []string{"linux/arm64"}}},
		"a (m) and b (renamed) have no benchmark in common": {{Name: "a", Benchmarks: one}, {Name: "b", Benchmarks: []study.Printed{other}}},
	} {
		if _, err := JudgePrinted(files[0], files[1], study.Question{}); err == nil || err.Error() != name {
			t.Errorf("%v, want %s", err, name)
		}
	}
	for _, cpus := range [][2][]string{{{"x"}, {"y"}}, {{"x", "y"}, {"x", "y"}}} {
		v, err := JudgePrinted(study.PrintedFile{Name: "a", Benchmarks: one, CPUs: cpus[0]}, study.PrintedFile{Name: "b", Benchmarks: one, CPUs: cpus[1]}, study.Question{})
		if err != nil || v.Results[0].Reasons[1].Code != study.ReasonPrintedElsewhere {
			t.Errorf("%v: %v, %+v", cpus, err, v.Results)
		}
	}
}
