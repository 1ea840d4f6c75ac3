package main

// summary is what the table needs of a RESULT.json, which is what a study keeps of
// its verdict.json: of each comparison the estimate that decided, and no other.
type summary struct {
	Measured   string `json:"measured"`
	Toolchain  string `json:"toolchain"`
	Provenance struct {
		Revision string `json:"revision"`
		Dirty    bool   `json:"dirty"`
	} `json:"provenance"`
	Comparisons []struct {
		result
		Effect, Lo, Hi float64
		Launches       int
	} `json:"comparisons"`
}

// verdict is a RESULT.json in the form of a verdict.json.
func (s summary) verdict() verdict {
	var v verdict
	v.Ended, v.Plan.Toolchain, v.Plan.Revision, v.Plan.Dirty = s.Measured, s.Toolchain, s.Provenance.Revision, s.Provenance.Dirty
	for _, c := range s.Comparisons {
		r := c.result
		r.Deciding = estimate{Effect: c.Effect, Lo: c.Lo, Hi: c.Hi, Launches: c.Launches}
		v.Results = append(v.Results, r)
	}
	return v
}
