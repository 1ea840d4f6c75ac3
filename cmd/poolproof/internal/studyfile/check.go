package studyfile

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// counters are the exact counters that an arm may claim to lower or raise.
var counters = []string{"B/op", "allocs/op"}

// metrics are those that a published claim may name, beside the figures that the
// benchmarks report.
var metrics = []string{"time", "cpu", "B/op", "allocs/op"}

// claimClasses are the classes that a claim may give to a metric.
var claimClasses = []string{string(study.Better), string(study.Same), string(study.Worse)}

// expectable are the verdicts that a study may expect. NotMeasured is none of
// them: it says nothing of the arm.
var expectable = []string{string(study.Positive), string(study.Negative), string(study.TradeOff), string(study.NoChange),
	string(study.Inconclusive), string(study.Invalid), string(study.Unsafe)}

var (
	// reachable is a function, or a method with its type.
	reachable = regexp.MustCompile(`^[\pL_][\pL\pN_]*(\.[\pL_][\pL\pN_]*)?$`)
	// benchName is a benchmark's function name with sub-benchmarks, without
	// spaces: testing prints them as underscores.
	benchName = regexp.MustCompile(`^Benchmark[^\s/]*(/[^\s/]+)*$`)
	// part matches one part of a benchmark's name.
	part = regexp.MustCompile(`^[^\s/=]+$`)
)

// check finds what is wrong in a file that could be decoded.
func check(p parsed) problems {
	c := checker{parsed: p}
	c.head()
	c.benchmarks()
	c.arms()
	c.metrics()
	c.paces()
	c.cells()
	c.binaries()
	for i, claim := range p.Claims {
		c.claim(i, claim)
		c.claimCells(i, claim)
	}
	c.rests()
	return c.found
}

type checker struct {
	parsed
	found problems
}

// require reports a key that is missing or empty.
func (c *checker) require(value, what string, path ...any) bool {
	if strings.TrimSpace(value) != "" {
		return true
	}
	key := path[len(path)-1]
	table := ""
	if len(path) > 1 {
		table = fmt.Sprintf(" in [[%v]]", path[0])
	}
	c.found.add(c.at(path...), "%v is missing%s; write %v = %q", key, table, key, what)
	return false
}

// oneOf reports a word that is not in the list.
func (c *checker) oneOf(word string, list []string, what string, path ...any) bool {
	if slices.Contains(list, word) {
		return true
	}
	c.found.add(c.at(path...), "unknown %s %q; write one of %s", what, word, strings.Join(list, ", "))
	return false
}

func (c *checker) head() {
	c.require(c.Title, "what the study is about", "title")
	c.require(c.Question, "the question that the verdicts answer", "question")
	if c.require(c.Key, "the key of the arms' part in benchmark names", "key") && !part.MatchString(c.Key) {
		c.found.add(c.at("key"), "key %q cannot be part of a benchmark's name; leave out spaces, slashes and equals signs", c.Key)
	}
	c.require(c.Baseline, "the name of the arm that the others are compared with", "baseline")
	if len(c.Claims) > 0 {
		c.require(c.Source, "where the claims were published", "source")
	}
	if c.Date != "" {
		if _, err := time.Parse(time.DateOnly, c.Date); err != nil {
			c.found.add(c.at("date"), "date %q is not a day; write YYYY-MM-DD", c.Date)
		}
	}
	if _, err := study.Threshold(c.Threshold); err != nil {
		c.found.add(c.at("threshold"), "%v", err)
	}
	if filepath.IsAbs(c.Package) {
		c.found.add(c.at("package"), "package %q is absolute; write it relative to the study file", c.Package)
	}
}

func (c *checker) benchmarks() {
	if len(c.Benchmarks) == 0 {
		c.found.add(place{1, 1}, "no benchmark; add [[benchmark]] with name and bench")
	}
	seen := map[string]int{} // of names and of benches, which cannot be equal: a bench begins with Benchmark
	for i, b := range c.Benchmarks {
		if c.require(b.Name, "a short label", "benchmark", i, "name") {
			c.once(seen, "benchmark", b.Name, "benchmark", i, "name")
		}
		if c.require(b.Bench, "BenchmarkX, without the part "+c.Key+"=...", "benchmark", i, "bench") {
			c.bench(b, i)
			c.once(seen, "bench", b.Bench, "benchmark", i, "bench")
		}
		for j, arm := range b.Skip {
			if !c.hasArm(arm) {
				c.found.add(c.at("benchmark", i, "skip", j), "skip names the unknown arm %q; %s", arm, c.knownArms())
			} else if arm == c.Baseline {
				c.found.add(c.at("benchmark", i, "skip", j), "skip leaves out the baseline %q; every benchmark needs it", arm)
			}
		}
		for j, arm := range b.Arms {
			if !c.hasArm(arm) {
				c.found.add(c.at("benchmark", i, "arms", j), "arms names the unknown arm %q; %s", arm, c.knownArms())
			}
		}
		if c.hasArm(c.Baseline) && len(c.Arms) > 1 && !slices.ContainsFunc(c.Arms, func(a study.Arm) bool { return c.runs(a.Name, b) }) {
			c.found.add(c.at("benchmark", i), "benchmark %q compares no arm; shorten skip, or remove the benchmark", b.Name)
		}
	}
}

func (c *checker) bench(b study.Benchmark, i int) {
	at := c.at("benchmark", i, "bench")
	switch {
	case !benchName.MatchString(b.Bench):
		c.found.add(at, "bench %q is no benchmark's name; write BenchmarkX or BenchmarkX/sub, underscores for spaces", b.Bench)
	case slices.ContainsFunc(strings.Split(b.Bench, "/"), func(p string) bool { return strings.HasPrefix(p, c.Key+"=") }):
		c.found.add(at, "bench %q holds the part %s=...; leave it out, each arm puts its own there", b.Bench, c.Key)
	}
}

// once reports a name that stands there a second time.
func (c *checker) once(seen map[string]int, what, name string, path ...any) {
	at := c.at(path...)
	if line, ok := seen[name]; ok {
		c.found.add(at, "%s %q stands already on line %d; change or remove one of them", what, name, line)
		return
	}
	seen[name] = at.line
}

func (c *checker) arms() {
	seen := map[string]int{}
	for i, a := range c.Arms {
		c.require(a.Title, "what this arm does", "arm", i, "title")
		if c.require(a.Name, "the value of "+c.Key+" in benchmark names", "arm", i, "name") {
			c.once(seen, "arm", a.Name, "arm", i, "name")
			if !part.MatchString(a.Name) {
				c.found.add(c.at("arm", i, "name"), "arm %q cannot be part of a benchmark's name; leave out spaces, slashes and equals signs", a.Name)
			}
		}
		c.arm(a, i)
	}
	switch {
	case !c.hasArm(c.Baseline) && c.Baseline != "":
		c.found.add(c.at("baseline"), "baseline %q is not among the arms; %s, or add [[arm]] for it", c.Baseline, c.knownArms())
	case c.Baseline != "" && len(c.Arms) == 1:
		c.found.add(c.at("arm", 0), "the baseline is the only arm; add [[arm]] for what it is compared with")
	}
}

func (c *checker) arm(a study.Arm, i int) {
	for j, counter := range a.Falls {
		c.oneOf(counter, counters, "counter", "arm", i, "falls", j)
	}
	for j, counter := range a.Rises {
		if c.oneOf(counter, counters, "counter", "arm", i, "rises", j) && slices.Contains(a.Falls, counter) {
			c.found.add(c.at("arm", i, "rises", j), "%s cannot rise and fall; remove it from falls or from rises", counter)
		}
	}
	if a.Allocates < 0 {
		c.found.add(c.at("arm", i, "allocates"), "allocates is negative; write how often an operation must allocate, or remove it")
	}
	for j, f := range a.Reaches {
		if !reachable.MatchString(f) {
			c.found.add(c.at("arm", i, "reaches", j), "reaches %q is no function; write Function or Type.Method", f)
		}
	}
	if a.Name == c.Baseline && a.Name != "" {
		for key, set := range map[string]bool{"falls": len(a.Falls) > 0, "rises": len(a.Rises) > 0, "expect": len(a.Expect) > 0} {
			if set {
				c.found.add(c.at("arm", i, key), "the baseline has %s, but is compared with nothing; remove it", key)
			}
		}
	}
	for name, verdicts := range a.Expect {
		c.expect(a, i, "expect", name, verdicts)
	}
	for name, verdicts := range a.Before {
		c.expect(a, i, "expected_before", name, verdicts)
	}
}

func (c *checker) expect(a study.Arm, i int, key, name string, verdicts []study.Verdict) {
	at := c.at("arm", i, key, name)
	bench, _ := study.SplitExpect(name)
	b, ok := c.benchmark(bench)
	switch {
	case !ok:
		c.found.add(at, "%s names the unknown benchmark %q; %s", key, bench, c.knownBenchmarks())
	case slices.Contains(b.Skip, a.Name):
		c.found.add(at, "%s names the benchmark %q, which skips this arm; remove one of the two", key, bench)
	}
	if len(verdicts) == 0 {
		c.found.add(at, "%s %q is empty; write one verdict or more, or remove it", key, name)
	}
	for j, v := range verdicts {
		c.oneOf(string(v), expectable, "verdict", "arm", i, key, name, j)
	}
}

func (c *checker) claim(i int, claim study.Claim) {
	c.require(claim.Text, "the published sentence", "claim", i, "text")
	b, known := c.benchmark(claim.Benchmark)
	if c.require(claim.Benchmark, "the name of a benchmark", "claim", i, "benchmark") && !known {
		c.found.add(c.at("claim", i, "benchmark"), "claim names the unknown benchmark %q; %s", claim.Benchmark, c.knownBenchmarks())
	}
	if c.require(claim.Arm, "the name of an arm", "claim", i, "arm") {
		at := c.at("claim", i, "arm")
		switch {
		case !c.hasArm(claim.Arm):
			c.found.add(at, "claim names the unknown arm %q; %s", claim.Arm, c.knownArms())
		case claim.Arm == c.Baseline:
			c.found.add(at, "claim names the baseline %q, which is compared with nothing; name the other arm", claim.Arm)
		case known && slices.Contains(b.Skip, claim.Arm):
			c.found.add(at, "claim names the arm %q, which benchmark %q skips; remove one of the two", claim.Arm, b.Name)
		}
	}
	if c.require(claim.Metric, strings.Join(c.claimable(), " or "), "claim", i, "metric") {
		c.oneOf(claim.Metric, c.claimable(), "metric", "claim", i, "metric")
	}
	if c.require(string(claim.Class), strings.Join(claimClasses, " or "), "claim", i, "class") {
		c.oneOf(string(claim.Class), claimClasses, "class", "claim", i, "class")
	}
	c.claimSize(i, claim)
}

// claimSize checks the published size of a claim.
func (c *checker) claimSize(i int, claim study.Claim) {
	if _, err := study.ParseWithin(claim.Within); err != nil {
		c.found.add(c.at("claim", i, "within"), "%v", err)
	} else if claim.Within != "" && claim.Size == "" {
		c.found.add(c.at("claim", i, "within"), "within goes with a size; write size = %s, or remove it", study.SizeForms)
	}
	if claim.Size != "" && claim.NoSize != "" {
		c.found.add(c.at("claim", i, "no_size"), "no_size says why there is no size, and there is one; remove one of the two")
	}
	if claim.Size == "" {
		return
	}
	at := c.at("claim", i, "size")
	size, err := study.ParseSize(claim.Size)
	switch counted := slices.Contains(counters, claim.Metric) || slices.ContainsFunc(c.Metrics, func(m study.Metric) bool { return m.Unit == claim.Metric && m.Exact }); {
	case err != nil:
		c.found.add(at, "%v", err)
	case claim.Class == study.Same:
		c.found.add(at, "a claim of the class same has no size; remove it")
	case !counted && (size.Kind == study.SizeDifference || size.Kind == study.SizeReached):
		c.found.add(at, "size %q is a number of %s, which is estimated as a ratio; write it with %% or x", claim.Size, claim.Metric)
	case size.Kind != study.SizeReached && size.More != c.rises(claim):
		c.found.add(at, "size %q and class %q contradict each other", claim.Size, claim.Class)
	}
}

// rises reports whether a claim says that the arm takes more than the baseline.
func (c *checker) rises(claim study.Claim) bool {
	higher := slices.ContainsFunc(c.Metrics, func(m study.Metric) bool { return m.Unit == claim.Metric && m.Better == "higher" })
	return (claim.Class == study.Worse) != higher
}

// runs reports whether the benchmark compares the arm with the baseline.
func (c *checker) runs(arm string, b study.Benchmark) bool {
	return arm != c.Baseline && !slices.Contains(b.Skip, arm)
}

func (c *checker) hasArm(name string) bool {
	return slices.ContainsFunc(c.Arms, func(a study.Arm) bool { return a.Name == name })
}

func (c *checker) benchmark(name string) (study.Benchmark, bool) {
	i := slices.IndexFunc(c.Benchmarks, func(b study.Benchmark) bool { return b.Name == name })
	if i < 0 {
		return study.Benchmark{}, false
	}
	return c.Benchmarks[i], true
}

func (c *checker) knownArms() string {
	var ns []string
	for _, a := range c.Arms {
		ns = append(ns, a.Name)
	}
	return oneOfThese(ns)
}

func (c *checker) knownBenchmarks() string {
	var ns []string
	for _, b := range c.Benchmarks {
		ns = append(ns, b.Name)
	}
	return oneOfThese(ns)
}

// oneOfThese is the advice to write one of the names that there are.
func oneOfThese(names []string) string {
	names = slices.DeleteFunc(names, func(n string) bool { return n == "" })
	if len(names) == 0 {
		return "give one that name"
	}
	return "write one of " + strings.Join(names, ", ")
}
