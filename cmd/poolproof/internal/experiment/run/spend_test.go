package run

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/plan"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

const second = time.Second

// world answers launches of a second each. A comparison is decided after as many
// as it holds; each look says how many are left, unless says holds another word.
type world struct {
	*Run
	left map[string]int           // until a comparison is decided
	says map[string]time.Duration // what the rule says that one still needs, right or wrong
	got  []string                 // benchmarks, a launch each
	// unlikely is a benchmark that is hardly decided after its first look.
	unlikely string
}

// worldOf has launches of a second, and knows that a first look takes four.
func worldOf(t *testing.T, p study.Plan, budget time.Duration, left map[string]int) *world {
	t.Helper()
	w := &world{Run: fakeRun(t, p, budget), left: left, says: map[string]time.Duration{}}
	w.first, w.later = total{1, second}, total{3, 3 * second}
	w.launchOne = func(_ context.Context, i int) error {
		c := w.Plan.Comparisons[i]
		w.got = append(w.got, c.Benchmark)
		w.took(study.Record{Comparison: c.ID, Form: study.FormBursts, Seconds: 1})
		w.left[c.Benchmark]--
		res := &w.Results[i]
		res.Spent += study.Duration(second)
		more, said := w.says[c.Benchmark]
		if !said {
			more = time.Duration(w.left[c.Benchmark]) * second
		}
		res.NeedTime = res.Spent + study.Duration(more)
		res.Want.Launch++
		res.Want.Unlikely = c.Benchmark == w.unlikely && res.Want.Launch >= 4
		if w.left[c.Benchmark] == 0 {
			res.Want = nil
		}
		return nil
	}
	return w
}

func (w *world) measure(t *testing.T) {
	t.Helper()
	if err := w.Measure(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (w *world) decided() (n int) {
	for _, left := range w.left {
		if left <= 0 {
			n++
		}
	}
	return n
}

func namesUpTo(n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprintf("B%02d", i))
	}
	return names
}

// launches writes counts of consecutive launches, as "A4 B4 A2".
func launches(got []string) (text string) {
	for i := 0; i < len(got); {
		n := 1
		for i+n < len(got) && got[i+n] == got[i] {
			n++
		}
		text += fmt.Sprintf(" %s%d", got[i], n)
		i += n
	}
	return text[min(1, len(text)):]
}

// A round for each in turn would decide none of them.
func TestABudgetThatIsTooSmallDecidesAsManyAsItCan(t *testing.T) {
	names, left := namesUpTo(18), map[string]int{}
	for _, name := range names {
		left[name] = 12
	}
	w := worldOf(t, planOf(names...), 127*second, left)
	w.measure(t)
	if got, want := w.decided(), (127-18*4)/8; got < want {
		t.Errorf("%d of 18 are decided, want %d at least: %s", got, want, launches(w.got))
	}
}

func TestTheNearestDecisionComesFirst(t *testing.T) {
	for name, tt := range map[string]struct {
		budget  time.Duration
		prepare func(w *world)
		left    map[string]int
		want    string
	}{
		"a verdict falls before another comparison begins": {time.Minute, nil, map[string]int{"A": 4, "B": 4, "C": 4}, "A4 B4 C4"},
		"what needs more than a first look waits for that of the others": {time.Minute, nil,
			map[string]int{"A": 20, "B": 4, "C": 12}, "A4 B4 C12 A16"},
		"what can be decided comes before what cannot": {30 * second, nil, map[string]int{"A": 100, "B": 15, "C": 4}, "A4 B4 C4 B11 A7"},
		"what is late waits for what is not": {time.Minute, func(w *world) { w.Plan.Comparisons[0].Late = true },
			map[string]int{"A": 1, "B": 10, "C": 4}, "B4 C4 B6 A1"},
		"what memory has given a verdict waits for what has none": {time.Minute, func(w *world) { w.Results[0].Verdict = study.Negative },
			map[string]int{"A": 1, "B": 10, "C": 4}, "B4 C4 B6 A1"},
		"what is late comes before what cannot be decided": {20 * second, func(w *world) { w.Plan.Comparisons[0].Late = true },
			map[string]int{"A": 4, "B": 100, "C": 4}, "B4 C4 A4 B8"},
		"what cannot be measured gets nothing": {time.Minute, func(w *world) { w.Plan.Comparisons[0].Invalid = "it is empty" },
			map[string]int{"B": 2, "C": 1}, "B2 C1"},
		"what builds hardly confirm waits for what can be decided": {time.Minute, func(w *world) { w.unlikely = "A" },
			map[string]int{"A": 10, "B": 4, "C": 12}, "A4 B4 C12 A6"},
		"what has begun comes before what has not, where the budget decides neither": {2 * second, nil, map[string]int{"A": 4, "B": 4, "C": 4}, "A2"},
	} {
		t.Run(name, func(t *testing.T) {
			w := worldOf(t, planOf("A", "B", "C"), tt.budget, tt.left)
			if tt.prepare != nil {
				tt.prepare(w)
			}
			w.measure(t)
			if got := launches(w.got); got != launches(split(tt.want)) {
				t.Errorf("launches of %s, want %s", got, tt.want)
			}
		})
	}
}

// split reads what launches writes; neighbours may be of one benchmark.
func split(text string) (got []string) {
	var name string
	for word := range slices.Values(fields(text)) {
		n := 0
		fmt.Sscanf(word, "%1s%d", &name, &n)
		got = append(got, slices.Repeat([]string{name}, n)...)
	}
	return got
}

func fields(text string) (words []string) {
	for len(text) > 0 {
		var word string
		n, _ := fmt.Sscan(text, &word)
		if n == 0 {
			break
		}
		words = append(words, word)
		text = text[min(len(text), len(word)+1):]
	}
	return words
}

// A change as large as the band is always thought to need little more.
func TestWhatIsWronglyThoughtNearDoesNotEatTheBudget(t *testing.T) {
	names := append([]string{"stuck"}, namesUpTo(6)...)
	left := map[string]int{"stuck": 1000}
	for _, name := range names[1:] {
		left[name] = 6
	}
	w := worldOf(t, planOf(names...), 60*second, left)
	w.says["stuck"] = second / 10
	w.measure(t)
	if got := w.decided(); got != 6 {
		t.Errorf("%d of the 6 others are decided: %s", got, launches(w.got))
	}
	if len(w.got) != 60 {
		t.Errorf("%d launches, want all that the budget has room for", len(w.got))
	}
	if at := slices.Index(w.got, names[6]); at > 40 {
		t.Errorf("the last has its first look after %d launches: %s", at, launches(w.got))
	}
}

func TestWhatTheBudgetWasThoughtNotToReachHasItsTurn(t *testing.T) {
	p := planOf("A", "B", "C", "D")
	plan.Spend(&p, unknown, plan.ComparisonCost)
	p.Comparisons[1].Invalid = "never runs it"
	w := worldOf(t, p, 14*second, map[string]int{"A": 100, "C": 4, "D": 4})
	w.measure(t)
	if got, want := launches(w.got), "A4 C4 D4 A2"; got != want {
		t.Errorf("launches of %s, want %s", got, want)
	}
}

// Bursts that differ much show after one launch that the first look will not do.
func TestWhatItsBurstsShowToBeFarIsNotThoughtNear(t *testing.T) {
	for _, tt := range []struct {
		effect, se float64
		want       time.Duration
	}{
		{0, 0.005, 3 * second}, // of four launches: 5 * 0.5 % / sqrt(4) = 1.25 %
		{0, 0.016, 15 * second},
		{0.1, 0.016, 3 * second},
		{0.1, 0.08, 16 * second},
	} {
		r := fakeRun(t, planOf("A"), time.Minute)
		id := r.Plan.Comparisons[0].ID
		r.shapes[shapeKey(id, study.FormBursts)] = duet.Shape{Pairs: 200, WarmUp: 40, OneThread: true}
		r.used[id], r.last[kindOf(id, study.FormBursts, 0)] = second, launched{took: second}
		r.Records = []study.Record{{Comparison: id, Form: study.FormBursts, Status: study.StatusOK, Baseline: study.Columns{Wall: make([]int64, 200)}}}
		res := &r.Results[0]
		res.Want, res.Deciding, res.MWall.WithinSE = &study.Want{Form: study.FormBursts, Launch: 1}, study.Estimate{Effect: tt.effect, Launches: 1}, tt.se
		if got := r.need(0); got != tt.want {
			t.Errorf("%+.2f, bursts that tell a launch to %.3f: needs %s, want %s", tt.effect, tt.se, got, tt.want)
		}
	}
}

// A sitting that goes on knows what the earlier ones gave to each comparison.
func TestWhatAnEarlierSittingGaveCounts(t *testing.T) {
	p := planOf("A", "B")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	rec := study.Record{Schema: study.Schema, Plan: p.Digest(), Comparison: p.Comparisons[0].ID, Form: study.FormBursts,
		Status: study.StatusFailed, Error: "no luck", Seconds: 20}
	r, err := New(&build.Set{}, ask.Options{Question: study.Question{Budget: time.Minute}}, p, nil, []study.Record{rec})
	if err != nil {
		t.Fatal(err)
	}
	r.Results[0].Want = &study.Want{Form: study.FormBursts, Launch: 5}
	r.last[kindOf(p.Comparisons[0].ID, study.FormBursts, 0)] = launched{took: second}
	if got := r.need(0); got != 10*second {
		t.Errorf("A needs %s, want half as much as it has used", got)
	}
	if i, ok := r.next(); !ok || i != 1 {
		t.Errorf("next is %d, want B", i)
	}
}

// Linking is worth its time where several comparisons wait for it, or will.
func TestComparisonsThatWaitForTheSameBuildsShareTheLinking(t *testing.T) {
	r := fakeRun(t, planOf(namesUpTo(12)...), time.Minute)
	r.bs.Targets = []*build.Target{{ID: "test"}}
	r.linkTime = second
	look := func(i int, want *study.Want) {
		id := r.Plan.Comparisons[i].ID
		r.Results[i].Want, r.used[id], r.last[kindOf(id, study.FormBursts, 0)] = want, second, launched{took: second / 5}
	}
	padded := &study.Want{Form: study.FormBursts, Layout: 1}
	look(0, padded)
	for i := range 3 {
		look(i+1, nil) // decided
	}
	if got := len(r.missing(0)); got != 8 {
		t.Fatalf("%d builds are missing, want 8 of one binary", got)
	}
	if got, want := r.linking(0), 8*second/3; got != want {
		t.Errorf("linking costs %s, want %s: one of four waits, so 3 of 12 will", got, want)
	}
	if i, _ := r.next(); i != 4 {
		t.Errorf("next is %d, want the first that was not looked at", i)
	}
	look(4, padded)
	look(5, padded)
	if got, want := r.linking(4), 8*second/6; got != want {
		t.Errorf("linking costs %s, want %s: three of six wait, so 6 of 12 will", got, want)
	}
	if i, _ := r.next(); i != 0 {
		t.Errorf("next is %d, want the first that waits for padded builds", i)
	}
	for k := range 8 {
		r.built[build.LayoutID("test", k+1)] = true
	}
	if got := r.linking(0); got != 0 {
		t.Errorf("what is linked costs %s", got)
	}
}
