package run

import "github.com/poolproof/poolproof/cmd/poolproof/internal/report"

// tell shows how the comparisons stand after a launch of one of them, and its
// verdict as soon as it has fallen.
func (r *Run) tell(i int) {
	if columns, rows := r.o.Progress.Size(); columns > 0 {
		r.o.Progress.Table(report.Live(r.Plan, r.Results, columns, rows))
	}
	if res := r.Results[i]; res.Want == nil {
		r.o.Progress.Decided(report.Verdict(r.Plan, r.Plan.Comparisons[i], res, r.o.Verbose))
	}
}
