package run

// tell shows how the comparisons stand after a launch of one of them, and its
// verdict as soon as it has fallen.
func (r *Run) tell(i int) {
	if columns, rows := r.o.Progress.Size(); columns > 0 && r.o.Show.Standing != nil {
		r.o.Progress.Table(r.o.Show.Standing(r.Plan, r.Results, columns, rows))
	}
	if res := r.Results[i]; res.Want == nil && r.o.Show.Decided != nil {
		r.o.Progress.Decided(r.o.Show.Decided(r.Plan, r.Plan.Comparisons[i], res, r.o.Verbose))
	}
}
