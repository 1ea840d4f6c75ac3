package campaign

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/results"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Judge judges the runs of the questions about whole costs in a folder by the rule
// of this program, and writes the results into another folder, where a campaign
// can be printed. The long runs are taken as they are. It measures nothing. A rule
// that would have asked for other launches than those that are there leaves a
// question open.
func Judge(dir, other string) error {
	o := Options{Dir: dir}
	_, done, err := read(filepath.Join(dir, resultsFile), "")
	if err != nil {
		return err
	}
	name := filepath.Join(other, resultsFile)
	if _, err := os.Stat(name); err == nil {
		return fault.Option("judge", other, "it has results already")
	}
	if err := os.MkdirAll(other, 0o777); err != nil {
		return fault.Option("judge", other, "%w", err)
	}
	setups := map[string]string{} // of today's rule, by that of the results
	var judged []Result
	for _, id := range slices.Sorted(maps.Keys(done)) {
		r := done[id]
		switch t, d, ok := wholeTask(id); {
		case !ok:
			continue
		case t.Section == SectionAsk:
			p, res, err := judgeRun(o.runOf(id))
			if err != nil {
				return fmt.Errorf("%s: %w", id, err)
			}
			setups[r.Setup] = setup(p, d.digest())
			now := resultOf(res)
			now.ID, now.Whole, now.Toolchain, now.Machine = r.ID, r.Whole, r.Toolchain, r.Machine
			now.Setup = r.Setup
			r = now
		}
		r.Rule = stat.Version
		judged = append(judged, r)
	}
	if len(setups) == 0 {
		return fault.Option("dir", dir, "it has no runs of -whole")
	}
	log, err := results.Open[Result](name)
	if err != nil {
		return err
	}
	for _, r := range judged {
		r.Setup = setups[r.Setup]
		if err := log.Add(r); err != nil {
			return err
		}
	}
	return nil
}

// judgeRun judges the one comparison of a run.
func judgeRun(dir string) (study.Plan, study.Result, error) {
	p, err := study.ReadPlan(filepath.Join(dir, study.PlanName))
	if err != nil {
		return p, study.Result{}, err
	}
	f, err := os.Open(filepath.Join(dir, study.RecordsName))
	if err != nil {
		return p, study.Result{}, err
	}
	defer f.Close()
	records, _, err := study.ReadRecords(f, f.Name())
	if err != nil {
		return p, study.Result{}, err
	}
	v, err := stat.Judge(p, records)
	if err != nil {
		return p, study.Result{}, err
	}
	if len(v.Results) != 1 {
		return p, study.Result{}, fmt.Errorf("%d comparisons instead of one", len(v.Results))
	}
	return p, v.Results[0], nil
}
