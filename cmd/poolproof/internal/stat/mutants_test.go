package stat

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var mutate = flag.Bool("mutants", false, "run the package's tests on mutants of it (minutes)")

// mutant is a small error that the tests must notice: the text old, found once
// in a file, is replaced by new.
type mutant struct{ name, file, old, new string }

var mutants = []mutant{
	{"no long form where the total stays unresolved", "long.go", "resolved(between) && r.class != study.NotWorse", "resolved(between) && resolved(r.class)"},
	{"ratio inverted", "pairs.go", "math.Log(p.window[1] / p.window[0])", "math.Log(p.window[0] / p.window[1])"},
	{"unpaired: the first old slice stands for all", "mutator.go", "if d, ok := p.ratio(); ok {", "p.window[0] = ps[0].window[0]\n\t\tif d, ok := p.ratio(); ok {"},
	{"mean instead of median", "mutator.go", "return medianInPlace(ds)", "return mean(ds)"},
	{"HL without an element and itself", "order.go", "range d[i:]", "range d[min(i+1, len(d)-1):]"},
	{"an even number's median is one of the middle", "order.go", "(d[h-1] + d[h]) / 2", "d[h]"},
	{"deviation of a population", "order.go", "math.Sqrt(sum / float64(len(d)-1))", "math.Sqrt(sum / float64(len(d)))"},
	{"as many degrees of freedom as launches", "looks.go", "float64(iv.n-1)", "float64(iv.n)"},
	{"one-sided interval", "looks.go", "1-alpha/2", "1-alpha"},
	{"interval of one launch, not of the mean", "looks.go", "* iv.sd / math.Sqrt(float64(iv.n))", "* iv.sd"},
	{"alpha .05 at each look", "rule.go", "0.015,", "0.05,"},
	{"the extended looks keep alpha", "rule.go", "r.Alpha = 0.010", "r.Alpha = 0.015"},
	{"the first look is skipped", "looks.go", "range looks {", "range looks[1:] {"},
	{"the last look is skipped", "looks.go", "if n > have {", "if n > have || n == looks[len(looks)-1] {"},
	{"the last decision stands", "looks.go", "for _, n := range looks {", "for i := range looks {\n\t\tn := looks[len(looks)-1-i]\n\t\tif n > have {\n\t\t\tcontinue\n\t\t}"},
	{"launches beyond the last look count", "looks.go", "at(min(have, last))", "at(have)"},
	{"band zero: worse", "looks.go", "iv.mean-iv.off > band", "iv.mean-iv.off > 0"},
	{"band zero: better", "looks.go", "iv.mean+iv.off < -band", "iv.mean+iv.off < 0"},
	{"worse without an interval", "looks.go", "iv.lo > 0 && iv.mean-iv.off > band", "iv.mean-iv.off > band"},
	{"same if the upper end is inside", "looks.go", "iv.lo >= -band && iv.hi <= band", "iv.hi <= band"},
	{"not worse by the lower end", "looks.go", "iv.n >= looks[0] && iv.hi <= band", "iv.n >= looks[0] && iv.lo <= band"},
	{"not worse before the first look", "looks.go", "iv.n >= looks[0] && iv.hi <= band", "iv.hi <= band"},
	{"not worse within twice the band", "looks.go", "iv.n >= looks[0] && iv.hi <= band", "iv.n >= looks[0] && iv.hi <= 2*band"},
	{"M where T must decide", "metric.go", "m := tWall\n", "m := mWall\n"},
	{"T where M must decide", "metric.go", "\t\tm = mWall\n", "\t\tm = tWall\n"},
	{"neighbours are not heard", "metric.go", "foreign(ls) > foreignShare", "false"},
	{"one processor is not seen", "metric.go", "m == tWall && !t.oneProcessor()", "m == tWall"},
	{"the number of cores is not seen", "metric.go", "ok && v == \"1\" || t.plan.Machine.Cores == 1", "ok && v == \"1\""},
	{"the environment has the last word", "trial.go", "{t.plan.Env, t.c.Cell}", "{t.c.Cell, t.plan.Env}"},
	{"parallel code by its wall time", "metric.go", "m == mWall && parallel(ls)", "false"},
	{"only the baseline can be parallel", "metric.go", " || medianInPlace(busy[1]) > parallelRatio", ""},
	{"drain ignored", "pairs.go", "p.total[side] += float64(c.Drain[i])", "p.total[side] += 0"},
	{"drain charged to the wall clock", "pairs.go", "p.total[side] = p.window[side]\n\t\t\tcase cpu:", "p.total[side] = p.window[side]\n\t\t\t\tif len(c.DrainW) > 0 {\n\t\t\t\t\tp.total[side] += float64(c.DrainW[i])\n\t\t\t\t}\n\t\t\tcase cpu:"},
	{"touched is what the old side says", "pairs.go", "!p.touched(0) && !p.touched(1)", "!p.touched(0)"},
	{"touched slices at their median too", "total.go", "if p.touched(side) {", "if false {"},
	{"quiet slices as measured", "total.go", "total[side] += typical[side]", "total[side] += p.total[side] + 0*typical[side]"},
	{"the ratio of all pairs inside T", "total.go", "mutator(quiet(ps))", "mutator(ps)"},
	{"blocks of four collections", "total.go", "blockCycles  = 5", "blockCycles  = 4"},
	{"blocks by the side that collects less", "total.go", "if all[1] > all[0] {", "if all[1] < all[0] {"},
	{"the rest of the launch is no block's", "total.go", "ends[len(ends)-1] = len(ps)", "_ = ps"},
	{"few quiet pairs suffice", "total.go", "fewestQuiet  = 20", "fewestQuiet  = 19"},
	{"few blocks suffice", "total.go", "fewestBlocks = 4", "fewestBlocks = 3"},
	{"jackknife without its factor", "jackknife.go", "sum * float64(g-1) / float64(g)", "sum"},
	{"tolerance zero", "counters.go", "0.005*c.larger()", "0*c.larger()"},
	{"no stray allocation", "counters.go", "rounding*max(0.005*c.larger(), c.stray)", "rounding*0.005*c.larger()"},
	{"whole numbers by the tolerance", "counters.go", "if c.integers {", "if false {"},
	{"anything rounds to a whole number", "counters.go", "math.Abs(perOp-r) > near || w.seen", "w.seen"},
	{"bytes: half the margin", "memory.go", "memoryShare = 0.05", "memoryShare = 0.025"},
	{"bytes: no least size", "memory.go", "max(memoryBytes, memoryShare*c.larger())", "memoryShare*c.larger()"},
	{"allocations never decide", "memory.go", "return a, false", "return b, false"},
	{"opposite directions are not seen", "memory.go", "case a == study.Same || a == b:", "case true:"},
	{"table: better and worse swapped in a row", "table.go", "study.Better: study.TradeOff,\n\t\tstudy.Same:   study.Negative,\n\t\tstudy.Worse:  study.Negative,\n\t},\n\tstudy.Unresolved", "study.Better: study.Negative,\n\t\tstudy.Same:   study.Negative,\n\t\tstudy.Worse:  study.TradeOff,\n\t},\n\tstudy.Unresolved"},
	{"table: unresolved with worse memory is open", "table.go", "study.Same:   study.Inconclusive,\n\t\tstudy.Worse:  study.Negative,\n\t\tstudy.Mixed:  study.Inconclusive", "study.Same:   study.Inconclusive,\n\t\tstudy.Worse:  study.Inconclusive,\n\t\tstudy.Mixed:  study.Inconclusive"},
	{"table: not worse is no change", "table.go", "study.Same:   study.Inconclusive,\n\t\tstudy.Worse:  study.Negative,\n\t\tstudy.Mixed:  study.TradeOff", "study.Same:   study.NoChange,\n\t\tstudy.Worse:  study.Negative,\n\t\tstudy.Mixed:  study.TradeOff"},
	{"a duplicate counts twice", "records.go", "n > 0 && compareUnit(kept[n-1], r) == 0", "false && n > 0"},
	{"a differing duplicate is dropped", "records.go", "!identical(kept[n-1], r)", "false"},
	{"records in the order of lines", "records.go", "slices.SortStableFunc(own, compareUnit)", "slices.SortStableFunc(own[:0], compareUnit)"},
	{"records of another plan", "records.go", "r.Plan != digest", "false"},
	{"records of another Go", "records.go", "got != word(old) && !(failed && got == \"\")", "false && got != word(old)"},
	{"records of another Go on the arm's side", "records.go", "got != word(new) &&", "false && got != word(new) &&"},
	{"a failed arm is named before a failed baseline", "trial.go", "if r.FailedSide != \"new\" {", "if r.FailedSide != \"new\" && arm == \"\" {"},
	{"an arm that removes nothing is timed", "trial.go", "len(broken) > 0", "len(broken) > 9"},
	{"what rises has fallen", "valid.go", "c.equal() || c.delta() > 0", "c.equal()"},
	{"the baseline need not allocate", "valid.go", "t.c.Allocates > 0 &&", "t.c.Allocates > 9 &&"},
	{"claims by the last launch", "valid.go", "allocs, bytes := counters(t.launches[:1])", "allocs, bytes := counters(t.launches[len(t.launches)-1:])"},
	{"the layout is not checked", "trial.go", "if memory == study.Same && !countedMove(figures) {", "if false && !countedMove(figures) {"},
	{"the layout is checked whatever memory does", "trial.go", "if memory == study.Same && !countedMove(figures) {", "if !countedMove(figures) {"},
	{"shifted builds confirm anything", "layout.go", "r.time == study.Better && iv.hi < 0 || r.time == study.Worse && iv.lo > 0", "iv.n > 0"},
	{"shifted builds confirm the other direction", "layout.go", "r.time == study.Better && iv.hi < 0 || r.time == study.Worse && iv.lo > 0", "iv.hi < 0 || iv.lo > 0"},
	{"the plain build does not count", "layout.go", "append([]float64{plainMean}, builds...)", "append([]float64{}, builds...)"},
	{"any effect exceeds the floor", "layout.go", "math.Abs(r.mean) > floor", "math.Abs(r.mean) > 0"},
	{"the floor has a direction", "layout.go", "max(floor, math.Abs(m))", "max(floor, m)"},
	{"large effects need no floor", "layout.go", "math.Abs(r.mean) <= t.rule.LayoutHigh", "true"},
	{"builds vary slowest", "layout.go", "w.Launch < want.Launch", "false"},
	{"launches may differ as they like", "spread.go", "r.sd > spreadFactor*se &&", "false &&"},
	{"any launches that vary by the band are doubted", "spread.go", "r.sd > spreadFactor*se &&", ""},
	{"launches that vary within the band are doubted", "spread.go", "r.sd > t.rule.Band &&", ""},
	{"large effects are doubted", "spread.go", "math.Abs(r.mean) <= t.rule.Band+spreadFactor*r.sd", "!math.IsNaN(r.mean)"},
	{"the long form is never wanted", "long.go", "if len(why.sentences) == 0 {", "if true {"},
	{"opposite numbers stand", "long.go", "case why.opposed:", "case false:"},
	{"few collections stand", "long.go", "case why.few:", "case false:"},
	{"few collections do not matter", "long.go", "max(n[0], n[1]) < t.rule.MinCycles &&", "false &&"},
	{"collections of the long form do not count", "long.go", "n = [2]int{n[0] + c[0], n[1] + c[1]}", "_ = c"},
	{"collections are counted up to the decision only", "long.go", "i >= decided &&", "i >= decided ||"},
	{"a collector that is off collects", "long.go", "&& !t.neverCollects()", ""},
	{"a limit is no limit", "long.go", "(!limited || limit == \"off\")", "(!limited || limit != \"\")"},
	{"a long drain does not matter", "long.go", "d > float64(t.rule.Slice)", "false"},
	{"T decides after the long form", "long.go", "if d.open {", "if d.open || d.decided > 0 {"},
	{"one clock's opinion", "trial.go", "if against != \"\" {", "if false {"},
	{"a second opinion on one processor", "trial.go", "|| t.oneProcessor() ||", "||"},
	{"INCONCLUSIVE refutes", "trial.go", "|| v == study.Inconclusive && !member", ""},
	{"the last cell answers a claim", "claims.go", "\t\t\treturn res\n", ""},
	{"better and worse counters", "claims.go", "case c.New < c.Old:", "case c.New > c.Old:"},
	{"a claim is answered by any cell", "claims.go", "if study.Holds(r.Cell, c.Cell) {", "if true {"},
	{"CPU time where the total decided is that between collections", "claims.go", "return r.TCPU, tCPU.String(), r.TCPU.Class", "return r.MCPU, mCPU.String(), r.MCPU.Class"},
	{"more is better everywhere", "figure.go", "if f.Better != \"higher\" {", "if f.Better != \"lower\" {"},
	{"the sign of a figure by launch", "figure.go", "if f.Better == \"higher\" {\n\t\tsign", "if false {\n\t\tsign"},
	{"the interval of a figure is not turned back", "figure.go", "d.mean, d.lo, d.hi = -d.mean, -d.hi, -d.lo", "d.mean, d.lo, d.hi = -d.mean, -d.lo, -d.hi"},
	{"no stray event for figures", "figure.go", "c.stray = 1 / f.fewest", "c.stray = 0"},
	{"a stray event for every figure", "figure.go", "f.Unit[n-3:] == \"/op\"", "true"},
	{"whole figures by the tolerance", "figure.go", "integers: wholes(f.old) && wholes(f.new)", "integers: false"},
	{"near whole figures are whole", "figure.go", "x != xs[0] || x != math.Trunc(x)", "math.Abs(x-xs[0]) > 0.6"},
	{"a figure without a ratio is equal", "figure.go", "case scale > 0:", "case false:"},
	{"a figure from nothing is a share of the old side", "figure.go", "scale = max(meanSize(f.old[:n]), meanSize(f.new[:n]))", "scale = meanSize(f.old[:n])"},
	{"a missing figure is zero", "figure.go", "case missing[1] > 0:", "case false:"},
	{"a figure that nobody reports is missing", "figure.go", "return f, \"\", true", "return f, \"not reported\", false"},
	{"figures without a say ask for launches", "figure.go", "!m.Decides && !t.claimed(m.Unit)", "false"},
	{"figures with a say do not ask", "figure.go", "m.Exact || !m.Decides && !t.claimed(m.Unit)", "m.Exact || !t.claimed(m.Unit)"},
	{"claims about other arms ask", "figure.go", "c.Metric == unit && c.Arm == t.c.Arm", "c.Metric == unit"},
	{"figures have a say without being given one", "resource.go", "if !f.Decides {", "if false {"},
	{"figures never have a say", "resource.go", "if !f.Decides {", "if true {"},
	{"an open figure is the same", "resource.go", "case study.Unresolved:\n\t\treturn []study.Class{study.Better, study.Same, study.Worse}", "case study.Unresolved:\n\t\treturn []study.Class{study.Same}"},
	{"an open figure never gets worse", "resource.go", "{study.Better, study.Same, study.Worse}", "{study.Better, study.Same}"},
	{"not worse is better", "resource.go", "return []study.Class{study.Better, study.Same}\n", "return []study.Class{study.Better}\n"},
	{"the last way of an open figure counts", "resource.go", "if verdict != \"\" && v != verdict {", "if false {"},
	{"a small count matters", "resource.go", "if f.Exact && !matters(f) {", "if false {"},
	{"a gain of a figure is none where memory is mixed", "resource.go", "gained = gained || c == study.Better", "_ = c"},
	{"resources do not mix", "resource.go", "joined = study.Mixed", "joined = c"},
	{"counts with a say need a layout check", "resource.go", "f.Decides && f.Exact &&", "false &&"},
	{"all figures with a say go without one", "resource.go", "f.Decides && f.Exact &&", "f.Decides &&"},
	{"the collector's share is not added", "looks.go", "iv.lo, iv.hi = iv.lo-off, iv.hi+off", "_ = off"},
	{"the mean is taken for exact", "looks.go", "iv.off += off", "_ = off"},
	{"seldom collections are never cheap", "cheap.go", "if !why.few {", "if true {"},
	{"the collection that is still to come is free", "cheap.go", "float64(n[side] + 1)", "float64(n[side])"},
	{"the mean price stands for the dearest", "cheap.go", "dearest = max(dearest, float64(ns)/float64(g))", "dearest = float64(ns) / float64(g)"},
	{"two collections have a price", "cheap.go", "fewestPrices = 3", "fewestPrices = 2"},
	{"a share of the whole band is cheap", "cheap.go", "off > t.rule.Band/2", "off > t.rule.Band*4"},
	{"the bound is of the old side", "cheap.go", "max(most[0]*dearest/total[0], most[1]*dearest/total[1])", "most[0] * dearest / total[0]"},
	{"long launches do not help to a price", "cheap.go", "for j := 0; j <= len(longs); j++ {", "for j := 0; j <= 0; j++ {"},
	{"the bound is not added", "cheap.go", ".widen(off)", ".widen(0)"},
	{"launches need not agree on memory", "memory.go", "if c.unsteady {", "if false {"},
	{"one launch is unsteady", "steady.go", "if n < 2 {\n\t\treturn false", "if n < 2 {\n\t\treturn true"},
	{"half of Student's interval", "steady.go", "math.Abs(mean(differences)) <= half", "math.Abs(mean(differences)) <= half/4"},
	{"the deviation of one launch, not of the mean", "steady.go", "/ math.Sqrt(float64(n))", "* math.Sqrt(float64(n))"},
	{"differences of sums, not of launches", "counters.go", "before := sum", "before := [2]float64{}"},
	{"unsteady memory is the same", "resource.go", "{{study.Better}, {study.Same}, {study.Worse}}", "{{study.Same}}"},
	{"a claim believes unsteady counters", "claims.go", "case c.Unsteady:\n\t\treturn study.Unresolved", "case c.Unsteady:\n\t\treturn study.Same"},
	{"exact figures are believed", "figure.go", "c.unsteady = !c.integers && unsteady(differences)", "c.unsteady = false && unsteady(differences)"},
	{"windows owe nothing", "paced.go", "ps[i].total[side] = max(0, ps[i].total[side]+charge(c, i))", "ps[i].total[side] += 0 * charge(c, i)"},
	{"collections begin when the room is full", "paced.go", "latest   = 0.95", "latest   = 1.00"},
	{"collections begin at no other place", "paced.go", "earliest = 0.70", "earliest = 0.95"},
	{"any number of collections is owed", "paced.go", "min(1, least)", "least"},
	{"any number is given back", "paced.go", "max(-1, most)", "most"},
	{"nothing is given back", "paced.go", "case most < 0:", "case false:"},
	{"at the memory limit all is owed", "paced.go", "if room == 0 {", "if false {"},
	{"what is charged is believed", "paced.go", "trusted = 0.5", "trusted = 1.0"},
	{"what is given back narrows the interval", "paced.go", "math.Log1p((1 - trusted) * math.Abs(share))", "math.Log1p((1 - trusted) * share)"},
	{"paced comparisons ask the wall clock", "metric.go", "return rateCPU", "return rateWall"},
	{"paced comparisons look as often as slices", "trial.go", "t.main == study.FormRate && len(t.rule.LongLooks) > 0", "false"},
	{"paced verdicts on time alone stand", "layout.go", "if t.main == study.FormRate {", "if false {"},
	{"small paced effects stand", "layout.go", "math.Abs(r.mean)-r.off <= t.rule.LayoutHigh", "false"},
	{"a paced effect within the floor stands", "layout.go", "if _, known := t.floors[t.c.ID]; known {", "if false {"},
	{"paced records of plain comparisons", "records.go", "if main := mainForm(p, c); r.Form != main {", "if main := mainForm(p, c); r.Form != main && r.Form != study.FormRate {"},
	{"long records of paced comparisons", "records.go", "if c.Pace != nil {", "if false {"},
	{"gaps are not filled", "trial.go", "r.Launch == n {\n", "true {\n"},
	{"the time needed grows with the half-width, not its square", "trial.go", "spent*(h/t.rule.Band)*(h/t.rule.Band)", "spent*(h/t.rule.Band)"},
	{"the new time is the old one", "show.go", "old*(1+t.res.Deciding.Effect)", "old"},
	{"log ratios are shown", "show.go", "Effect: math.Expm1(d.mean)", "Effect: d.mean"},
}

// TestMutantsAreKilled runs the tests on each mutant. The tree is not touched:
// the compiler sees the mutant through an overlay.
func TestMutantsAreKilled(t *testing.T) {
	if !*mutate {
		t.Skip("only with -mutants")
	}
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			out, err := runMutant(t, m)
			var exit *exec.ExitError
			switch {
			case err == nil:
				t.Error("survived")
			case !errors.As(err, &exit) || strings.Contains(out, "[build failed]") || strings.Contains(out, "[setup failed]"):
				t.Errorf("no mutant: %v\n%s", err, out)
			default:
				t.Log("killed")
			}
		})
	}
}

// TestMutantsFitTheCode keeps the list in step with the code.
func TestMutantsFitTheCode(t *testing.T) {
	for _, m := range mutants {
		if _, err := m.text(); err != nil {
			t.Error(err)
		}
	}
}

func (m mutant) text() (string, error) {
	src, err := os.ReadFile(m.file)
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(src), m.old); n != 1 {
		return "", fmt.Errorf("%s: the text is %d times in %s", m.name, n, m.file)
	}
	return strings.Replace(string(src), m.old, m.new, 1), nil
}

func runMutant(t *testing.T, m mutant) (string, error) {
	t.Helper()
	text, err := m.text()
	if err != nil {
		return "", err
	}
	dir := t.TempDir()
	file := filepath.Join(dir, m.file)
	original, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {original: file}})
	if err != nil {
		return "", err
	}
	list := filepath.Join(dir, "overlay.json")
	if err := errors.Join(os.WriteFile(file, []byte(text), 0o666), os.WriteFile(list, overlay, 0o666)); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, "go", "test", "-vet=off", "-short", "-failfast", "-timeout=60s", "-overlay="+list, ".").CombinedOutput()
	return string(out), err
}
