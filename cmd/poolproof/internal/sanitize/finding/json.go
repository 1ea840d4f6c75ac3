package finding

import "github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"

// Object is a report as one JSON object. Action tells it from the events of
// go test -json, which may stand in the same stream.
type Object struct {
	Action   string          `json:"Action"` // "finding"
	Group    int             `json:"group"`  // number of the finding; reports with one number are one bug. 0: suppressed
	Kind     record.Kind     `json:"kind"`
	Severity record.Severity `json:"severity"`
	Why      string          `json:"why,omitempty"`
	Package  string          `json:"package"`
	Test     string          `json:"test"` // the first; "": outside of any test
	Tests    []string        `json:"tests,omitempty"`
	Type     string          `json:"type"`
	What     string          `json:"what,omitempty"`
	Field    string          `json:"field,omitempty"`
	Offset   int64           `json:"offset"`
	Size     int64           `json:"size,omitempty"`
	Total    int64           `json:"total"`
	Count    int             `json:"count"`
	Access   []record.Frame  `json:"access"`
	Put      []record.Frame  `json:"put"`
	Get      []record.Frame  `json:"get"`
	Started  []record.Frame  `json:"started,omitempty"` // the go statement of the goroutine that touched it
	Written  []record.Frame  `json:"written,omitempty"` // of a left-over
	Said     []string        `json:"said,omitempty"`    // of a left-over: the test's own words
	Again    string          `json:"again,omitempty"`
	Vet      string          `json:"vet,omitempty"` // the command of poolproof vet that can confirm it

	SuppressedBy string `json:"suppressedBy,omitempty"` // ignore or baseline
	Reason       string `json:"reason,omitempty"`
}

// Objects returns the reports of a finding as JSON objects.
func (p *Printer) Objects(n int, f *Finding) []Object {
	var all []Object
	for _, r := range f.Reports {
		all = append(all, p.Object(n, r))
	}
	return all
}

// Object returns one report as a JSON object.
func (p *Printer) Object(n int, r *Report) Object {
	o := Object{
		Action: "finding", Group: n, Kind: r.Kind, Severity: r.Severity, Why: r.Why, Type: r.Type,
		What: r.What, Field: r.Field, Offset: r.Offset, Size: r.Size, Total: r.Total, Count: r.Count,
		Access: frames(r.Access), Put: frames(r.Put), Get: frames(r.Get),
		Started: r.Started, Written: r.Written, Said: r.Said,
	}
	if len(r.Tests) > 0 {
		o.Package, o.Test = r.Tests[0].Package, r.Tests[0].Name
		o.Again = p.Again[r.Tests[0]]
	}
	o.Vet = p.vet([]record.Kind{r.Kind}, p.Sites.Site(r))
	for _, t := range r.Tests {
		if t.Name != "" {
			o.Tests = append(o.Tests, t.Name)
		}
	}
	if s := r.Suppressed; s != nil {
		o.SuppressedBy, o.Reason = s.By, s.Reason
	}
	return o
}

// frames is never null in JSON.
func frames(stack []record.Frame) []record.Frame {
	if stack == nil {
		return []record.Frame{}
	}
	return stack
}
