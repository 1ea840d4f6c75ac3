package stat

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// DigestOf returns the digest that the records of a plan bear, and that further
// ones must: [study.Plan.Digest]. A plan of an earlier version of the rule was
// written by an earlier program, which may have made its digest of other fields,
// and one of an earlier schema has other names in it. There it is what the first record says; that the others say the same, and that
// comparisons, forms and toolchains are those of the plan, is checked as ever.
func DigestOf(p study.Plan, rs []study.Record) string {
	if (p.Rule.Version < Version || p.Schema < study.Schema) && len(rs) > 0 {
		return rs[0].Plan
	}
	return p.Digest()
}

// admit sorts records by comparison, and within one by form, build and launch,
// so that the order of lines in a file, or of files, does not matter. A launch
// that is there twice counts once: merging record files is concatenation.
func admit(p study.Plan, digest string, rs []study.Record) (map[string][]*study.Record, error) {
	byID := map[string][]*study.Record{}
	for _, c := range p.Comparisons {
		byID[c.ID] = nil
	}
	for i := range rs {
		r := &rs[i]
		if err := check(p, digest, r); err != nil {
			return nil, fmt.Errorf("%s: %w", place(r), err)
		}
		if _, ok := byID[r.Comparison]; !ok {
			return nil, fmt.Errorf("%s: the plan has no such comparison", place(r))
		}
		byID[r.Comparison] = append(byID[r.Comparison], r)
	}
	for id, own := range byID {
		slices.SortStableFunc(own, compareUnit)
		var err error
		if byID[id], err = once(own); err != nil {
			return nil, err
		}
	}
	return byID, nil
}

func compareUnit(a, b *study.Record) int {
	return cmp.Or(cmp.Compare(a.Form, b.Form), cmp.Compare(a.Layout, b.Layout), cmp.Compare(a.Launch, b.Launch))
}

// once drops repetitions from sorted records.
func once(rs []*study.Record) ([]*study.Record, error) {
	var kept []*study.Record
	for _, r := range rs {
		if n := len(kept); n > 0 && compareUnit(kept[n-1], r) == 0 {
			if !identical(kept[n-1], r) {
				return nil, fmt.Errorf("%s: two records of this launch differ", place(r))
			}
			continue
		}
		kept = append(kept, r)
	}
	return kept, nil
}

// Missing is the error of records of which one was lost: launches and padded builds
// are measured in the order of their numbers, and a later one is there. A run that
// goes on measures it again.
func Missing(p study.Plan, rs []study.Record) error {
	byID, err := admit(p, DigestOf(p, rs), rs)
	if err != nil {
		return err
	}
	for _, c := range p.Comparisons {
		var last *study.Record
		for _, r := range byID[c.ID] {
			next := study.Record{Comparison: r.Comparison, Form: r.Form}
			if last != nil && last.Form == r.Form {
				next.Layout, next.Launch = last.Layout, last.Launch+1
				if r.Layout > last.Layout {
					next.Layout, next.Launch = last.Layout+1, 0
				}
			}
			if r.Form != study.FormFloor && compareUnit(&next, r) != 0 {
				return fmt.Errorf("%s is missing, and a later one is there", place(&next))
			}
			last = r
		}
	}
	return nil
}

// identical compares what would be written, so that a record that was read
// back from a file equals the one that was written to it.
func identical(a, b *study.Record) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// check refuses a record that says something else than the plan, or whose
// columns do not fit together.
func check(p study.Plan, digest string, r *study.Record) error {
	if r.Schema != study.Schema {
		return fmt.Errorf("schema %d, this program reads %d", r.Schema, study.Schema)
	}
	if r.Plan != digest {
		return fmt.Errorf("recorded for plan %s, judged with plan %s: one of them was changed", r.Plan, digest)
	}
	failed := r.Status != study.StatusOK
	// A process that died early may not have said which Go it runs.
	c := p.Comparison(r.Comparison)
	baseline, candidate := p.ToolchainOf(c.BaselineBench.Binary), p.ToolchainOf(c.CandidateBench.Binary)
	baseline, candidate = word(baseline), word(candidate)
	if got := word(r.Go); got != baseline && !(failed && got == "") {
		return fmt.Errorf("recorded with %q, the plan is for %q", r.Go, baseline)
	}
	if got := word(cmp.Or(r.GoCandidate, r.Go)); got != candidate && !(failed && r.GoCandidate == "") {
		return fmt.Errorf("the candidate was recorded with %q, the plan is for %q", got, candidate)
	}
	if r.Launch < 0 || r.Layout < 0 {
		return fmt.Errorf("launches and builds count from 0")
	}
	switch r.Form {
	case study.FormStretch, study.FormMany, study.FormLong, study.FormFloor:
		if c.Pace != nil {
			return fmt.Errorf("a launch of form %q of a comparison at a fixed rate", r.Form)
		}
	case study.FormBursts, study.FormPairs, study.FormRate:
		if main := mainForm(p, c); r.Form != main {
			return fmt.Errorf("a launch of form %q in a plan whose engine is %q, where form %q was to be expected", r.Form, p.Engine, main)
		}
	default:
		return fmt.Errorf("unknown form %q", r.Form)
	}
	if failed {
		return nil
	}
	n := r.Baseline.Len()
	if n == 0 || r.N < 1 {
		return fmt.Errorf("%d bursts of %d operations", n, r.N)
	}
	for _, side := range study.Sides {
		c := r.Columns(side)
		if err := c.Check(n); err != nil {
			return fmt.Errorf("the %s: %w", side, err)
		}
		if r.Form == study.FormRate && (len(c.CPU) == 0 || len(c.GCs) == 0 || len(c.Price) == 0 || len(c.Room) == 0) {
			return fmt.Errorf("a paced launch without CPU time, or without the price of a collection")
		}
	}
	return nil
}

// word is the release of a version: what follows are experiments, as in
// "go1.26.8-X:nogreenteagc" and "go1.24.9 X:nogreenteagc", and the platform.
func word(s string) string {
	first, _, _ := strings.Cut(s, " ")
	first, _, _ = strings.Cut(first, "-X:")
	return first
}

// mainForm is the form of launch with which a comparison starts.
func mainForm(p study.Plan, c study.Comparison) study.Form {
	switch {
	case c.Pace != nil:
		return study.FormRate
	case p.Engine == study.EnginePairs:
		return study.FormPairs
	}
	return study.FormBursts
}

// place names a record in an error.
func place(r *study.Record) string {
	s := fmt.Sprintf("comparison %q, launch %d of form %q", r.Comparison, r.Launch, r.Form)
	if r.Layout != 0 {
		s += fmt.Sprintf(" on padded build %d", r.Layout)
	}
	return s
}
