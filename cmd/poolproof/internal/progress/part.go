package progress

import "time"

// Part returns a Reporter for one of several runs that follow each other: what
// it says is headed by the part's name, and the measuring time is that of the
// whole, of which before may be spent when the part begins. The part's own
// total is the budget.
func Part(r Reporter, before, whole time.Duration, name string) Reporter {
	return part{r, before, whole, name}
}

type part struct {
	Reporter
	before, whole time.Duration
	name          string
}

func (p part) Step(text string) { p.Reporter.Step(p.name + ": " + text) }

func (p part) Measure(done, total time.Duration, text string) {
	p.Reporter.Measure(p.before+min(done, total), p.whole, p.name+": "+text)
}

func (p part) Decided(text string) { p.Reporter.Decided(p.name + ": " + text) }
