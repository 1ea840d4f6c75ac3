package study

import "slices"

// committed is the verdict file as it stands beside a study file: without the
// study file, without what follows from both, and without what no page and no judge
// of claims needs, such as the times of each launch and the padded builds one by one.
func (v VerdictFile) committed() VerdictFile {
	p := &v.Plan
	p.Padded, p.Study, v.Claims = p.PaddedBuilds(), nil, nil
	p.Binaries = slices.DeleteFunc(slices.Clone(p.Binaries), func(b Binary) bool { return b.Layout > 0 })
	all := p.Comparisons
	p.Comparisons = []Comparison{}
	for _, c := range all { // the results have the names
		if c.Pace != nil || len(c.Escape) > 0 || len(c.ExpectedBefore) > 0 {
			p.Comparisons = append(p.Comparisons, Comparison{ID: c.ID, Pace: c.Pace, Escape: c.Escape, ExpectedBefore: c.ExpectedBefore})
		}
	}
	v.Results = slices.Clone(v.Results)
	for i := range v.Results {
		v.Results[i].spare()
	}
	return v
}

// spare leaves out what a committed result does without.
func (r *Result) spare() {
	r.Times, r.TWall, r.LongWall, r.AsBuilt = nil, Estimate{}, Estimate{}, nil
	if r.Estimator.Kind != Total {
		r.TCPU = Estimate{}
	}
	if r.Estimator.Kind != Long {
		r.LongCPU = Estimate{}
	}
}

// Revise notes in a verdict file which expectations differ from those of an
// earlier measurement of the same study.
func (v *VerdictFile) Revise(earlier VerdictFile) {
	for i := range v.Plan.Comparisons {
		c := &v.Plan.Comparisons[i]
		if len(c.ExpectedBefore) > 0 {
			continue
		}
		j := slices.IndexFunc(earlier.Results, func(r Result) bool {
			return r.Benchmark == c.Benchmark && r.Arm == c.Arm && slices.Equal(r.Cell, c.Cell)
		})
		if j < 0 {
			continue
		}
		before := earlier.Results[j].Expect
		if len(before) == 0 || slices.Equal(before, c.Expect) {
			before = earlier.Plan.Comparison(earlier.Results[j].Comparison).ExpectedBefore
		}
		if len(before) > 0 && !slices.Equal(before, c.Expect) {
			c.ExpectedBefore = before
		}
	}
}
