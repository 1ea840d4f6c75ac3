package note

import (
	"fmt"
	"path"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// change compares a measurement with an earlier one.
type change struct {
	both   int // comparisons that both have, each with an interval
	apart  []moved
	turned int // both verdicts are decided, and differ
}

// moved is a comparison whose two intervals have no part in common.
type moved struct {
	was study.EarlierResult
	now study.Result
}

// changeOf holds a result against an earlier measurement.
func changeOf(v study.VerdictFile, was study.Earlier) change {
	var c change
	for _, r := range v.Results {
		before, ok := was.Find(r)
		if !ok || !r.Timed() || r.Deciding.Launches < 2 {
			continue
		}
		c.both++
		if !before.Meets(r.Deciding) {
			c.apart = append(c.apart, moved{before, r})
		}
		if before.Verdict != r.Verdict && before.Verdict.Decided() && r.Verdict.Decided() {
			c.turned++
		}
	}
	return c
}

// add sums up.
func (c *change) add(o change) {
	c.both, c.turned, c.apart = c.both+o.both, c.turned+o.turned, append(c.apart, o.apart...)
}

// String is "of 54 comparisons the intervals of 16 do not meet, and 3 verdicts
// turned".
func (c change) String() string {
	return fmt.Sprintf("of %s the intervals of %d do not meet, and %s turned",
		words.Plural(c.both, "comparison", "comparisons"), len(c.apart), words.Plural(c.turned, "verdict", "verdicts"))
}

// where names an earlier measurement.
func where(e study.Earlier) string {
	s := fmt.Sprintf("%s, %s, %s", e.Measured, e.Machine.CPU, words.Cores(e.Machine.Cores))
	if e.Revision != "" {
		s += ", revision " + shortRevision(e.Revision)
	}
	return s
}

// again says what this measurement changed against the earlier ones, and lists what
// moved.
func (n *note) again() {
	var b strings.Builder
	for _, was := range n.earlier {
		c := changeOf(n.v, was)
		if c.both == 0 {
			continue
		}
		fmt.Fprintf(&b, "- %s: %s.\n", where(was), c)
		for _, m := range c.apart {
			name := words.Row{Result: m.now}.Name(n.cells)
			fmt.Fprintf(&b, "  - %s: %s then, %s now\n", cellText(name), beforeText(m.was), words.Row{Result: m.now}.Change())
		}
	}
	if b.Len() == 0 {
		return
	}
	n.heading("Measured before")
	n.printf("This measurement beside earlier ones of the same comparisons; the benchmarks, the library and the rule may have changed between them:\n")
	n.printf("%s", b.String())
}

// beforeText is "-12.3 % [-15.9, -8.6] cpu" of an earlier time.
func beforeText(r study.EarlierResult) string {
	s := fmt.Sprintf("%s %% [%s, %s]", words.Percent(r.Effect), words.Percent(r.Lo), words.Percent(r.Hi))
	if strings.HasSuffix(r.By, " cpu") {
		s += " cpu"
	}
	return s
}

// elsewhere is the last measurement on another processor than that of a result; nil
// if there is none.
func elsewhere(v study.VerdictFile, earlier []study.Earlier) *study.Earlier {
	for i := len(earlier) - 1; i >= 0; i-- {
		if e := &earlier[i]; e.Machine.CPU != v.Plan.Machine.CPU && changeOf(v, *e).both > 0 {
			return e
		}
	}
	return nil
}

// measuredAgain is the section of the index about studies that were measured more
// than once: on the same kind of processor, and on another.
func measuredAgain(entries []Entry) string {
	t := words.Grid{Head: []string{"study", "before", "now", "comparisons in both", "intervals apart", "verdicts turned"}}
	var same, other change
	for _, e := range entries {
		if e.Verdict == nil {
			continue
		}
		link := fmt.Sprintf("[%s](%s)", e.Title, path.Join(e.Dir, study.NoteName))
		for i, was := range e.Earlier {
			c := changeOf(*e.Verdict, was)
			if c.both == 0 {
				continue
			}
			t.Add(link, where(was), measuredOn(*e.Verdict)+", "+e.Verdict.Plan.Machine.CPU, fmt.Sprint(c.both), fmt.Sprint(len(c.apart)), fmt.Sprint(c.turned))
			link = ""
			if last := i == lastOn(e.Earlier, was.Machine.CPU); !last {
				continue // the summary has one measurement before on each processor
			}
			if was.Machine.CPU == e.Verdict.Plan.Machine.CPU {
				same.add(c)
			} else {
				other.add(c)
			}
		}
	}
	if len(t.Cells) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n## Measured again\n\nWhat the last measurement of each study changed against the one before it. The code under test and the rule may have changed between them.\n\n")
	fmt.Fprintf(&b, "- On the same kind of processor, %s.\n- On another kind, %s.\n\n", same, other)
	b.WriteString(markdown(t))
	return b.String()
}

// lastOn is the index of the last measurement on a processor.
func lastOn(all []study.Earlier, cpu string) int {
	last := -1
	for i, e := range all {
		if e.Machine.CPU == cpu {
			last = i
		}
	}
	return last
}
