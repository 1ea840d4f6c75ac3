package corpus

import (
	"fmt"
	"slices"
	"strings"
)

// Observed holds the reports on one case in a run of the corpus.
type Observed struct {
	Kinds    []string // of findings whose test is the case's or below it, errors only
	Workers  int      // warnings of that kind
	Retained int      // warnings of that kind
	Failed   []string // tests that failed: the case's own and those below it
	Poisoned bool     // it failed by itself, and only with poison
	Leak     *Leak    // of the case's type, if pools of that type were seen
}

// Judge says what is wrong with what was observed; nothing if all is well.
func (c Case) Judge(exact bool, seen Observed) (wrong []string) {
	must := c.Exact
	if !exact {
		must = c.Fast
	}
	complain := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	for _, e := range must {
		if !e.Optional && e.Kind != Unseen && !seen.has(e.Kind) {
			complain("%s was not found", e.Kind)
		}
	}
	allowed := slices.Concat(c.Exact, must)
	for _, kind := range seen.all() {
		if !slices.ContainsFunc(allowed, func(e Expected) bool { return e.Kind == kind }) {
			complain("%s was found and is not expected", kind)
		}
	}
	if c.Leak != nil {
		switch l := seen.Leak; {
		case l == nil && c.Leak.Leaked == 0:
		case l == nil:
			complain("no leak of %s was seen", c.Leak.Type)
		case l.Leaked != c.Leak.Leaked, c.Leak.Got >= 0 && l.Got != c.Leak.Got:
			complain("%d of %d leaked, want %d of %d", l.Leaked, l.Got, c.Leak.Leaked, c.Leak.Got)
		}
	}
	return append(wrong, c.judgeFailures(seen)...)
}

// judgeFailures compares the tests that failed with those that must: all that
// misuse a pool, and no others.
func (c Case) judgeFailures(seen Observed) (wrong []string) {
	if slices.Contains(c.In, "*") {
		return nil
	}
	var want []string
	switch {
	case len(seen.Kinds) > 0 || seen.Poisoned:
		want = c.In
	case c.Bug():
		return nil // it may fail by itself
	}
	for _, name := range want {
		if !slices.Contains(seen.Failed, name) {
			wrong = append(wrong, name+" did not fail")
		}
	}
	for _, name := range seen.Failed {
		// A test fails with those below it.
		if !slices.ContainsFunc(want, func(w string) bool { return w == name || strings.HasPrefix(w, name+"/") }) {
			wrong = append(wrong, name+" failed")
		}
	}
	return wrong
}

func (o Observed) has(kind string) bool { return slices.Contains(o.all(), kind) }

// all returns the kinds that were seen, with those that are none of the sanitizer's.
func (o Observed) all() []string {
	all := slices.Clone(o.Kinds)
	if o.Poisoned {
		all = append(all, Poison)
	}
	if o.Workers > 0 {
		all = append(all, OwnWorker)
	}
	if o.Retained > 0 {
		all = append(all, Retained)
	}
	return all
}
