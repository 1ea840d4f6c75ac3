package study

import (
	"encoding/json"
	"testing"
)

// Records bear the digest of their plan, so that a plan whose rule was edited
// after the measurement is not judged by it in silence.
func TestTheDigestHasAllThatAVerdictRestsOn(t *testing.T) {
	plan := func(version int) Plan {
		return Plan{
			Schema: Schema, Rule: Rule{Version: version, Band: 0.02, Clock: "auto", Looks: []int{4, 5}, PaddedLooks: []int{8}},
			Study:       &File{Title: "a", Metrics: []Metric{{Unit: "made/op", Better: "lower"}}},
			Comparisons: []Comparison{{ID: "c", Falls: []string{"B/op"}, Expect: []Verdict{Positive}}},
		}
	}
	same := map[string]func(*Plan){
		"the budget":             func(p *Plan) { p.Budget = 7 },
		"prose":                  func(p *Plan) { p.Study.Title, p.Title, p.Study.Metrics[0].Title = "b", "b", "b" },
		"what is expected":       func(p *Plan) { p.Comparisons[0].Expect = nil },
		"what the budget misses": func(p *Plan) { p.Comparisons[0].Skipped = "no time" },
		"a padded build":         func(p *Plan) { p.Binaries = append(p.Binaries, Binary{ID: "test-padded1", Layout: 1}) },
	}
	other := map[string]func(*Plan){
		"the band":              func(p *Plan) { p.Rule.Band = 0.2 },
		"the clock":             func(p *Plan) { p.Rule.Clock = "cpu" },
		"a look":                func(p *Plan) { p.Rule.Looks = []int{2, 5} },
		"no padded builds":      func(p *Plan) { p.Rule.PaddedLooks = nil },
		"a level":               func(p *Plan) { p.Rule.Alpha = 0.5 },
		"what an arm lowers":    func(p *Plan) { p.Comparisons[0].Falls = nil },
		"an isolated benchmark": func(p *Plan) { p.Comparisons[0].Isolated = true },
		"a judged figure":       func(p *Plan) { p.Study.Metrics[0].Better = "higher" },
	}
	digest := func(version int, edit func(*Plan)) string {
		p := plan(version)
		edit(&p)
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var read Plan // as a later command has it
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatal(err)
		}
		if p.Digest() != read.Digest() {
			t.Error("a plan has another digest when it is read again")
		}
		return p.Digest()
	}
	was := digest(wholeRule, func(*Plan) {})
	for name, edit := range same {
		if digest(wholeRule, edit) != was {
			t.Errorf("%s: another digest", name)
		}
	}
	for name, edit := range other {
		if digest(wholeRule, edit) == was {
			t.Errorf("%s: the same digest", name)
		}
		// An earlier program made the records of such a plan.
		if digest(wholeRule-1, edit) != digest(wholeRule-1, func(*Plan) {}) {
			t.Errorf("%s: another digest of an earlier plan", name)
		}
	}
}
