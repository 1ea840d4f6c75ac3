package record

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/committed"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/git"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// resultNames are the files in which results were committed: RESULT.json before
// verdict.json.
var resultNames = []string{study.VerdictName, "RESULT.json"}

// measurements are those that the history of a repository has of each study, the
// oldest first, by the study's folder with slashes.
func measurements(ctx context.Context, root string) (map[string][]study.Earlier, error) {
	args := []string{"log", "--reverse", "--raw", "--no-abbrev", "--no-renames", "--diff-filter=AM", "--format=", "--"}
	for _, name := range resultNames {
		args = append(args, ":(glob)studies/**/"+name)
	}
	log, err := git.Output(ctx, root, args...)
	if err != nil {
		return nil, err
	}
	out, seen := map[string][]study.Earlier{}, map[string]bool{}
	for line := range strings.Lines(log) {
		fields := strings.Fields(line) // :100644 100644 OLD NEW M PATH
		if len(fields) != 6 || seen[fields[3]+fields[5]] {
			continue
		}
		seen[fields[3]+fields[5]] = true
		text, err := git.Output(ctx, root, "cat-file", "blob", fields[3])
		if err != nil {
			return nil, err
		}
		e, err := parseResult([]byte(text))
		if err != nil {
			return nil, fmt.Errorf("%s of blob %s: %w", fields[5], fields[3], err)
		}
		dir := path.Dir(fields[5])
		if len(e.Results) > 0 && !slices.ContainsFunc(out[dir], e.Same) {
			out[dir] = append(out[dir], e)
		}
	}
	return out, nil
}

// parseResult reads a committed result of any version: what is now plan.json within
// verdict.json stood beside the comparisons before.
func parseResult(text []byte) (study.Earlier, error) {
	type origin struct {
		Revision  string
		Machine   study.Machine
		Toolchain string
	}
	var r struct {
		origin
		Measured   string
		Started    time.Time
		Spent      string
		Plan       origin
		Provenance origin
		Results    []struct {
			Benchmark, Arm string
			Cell           []string
			Verdict        study.Verdict
			Estimator      string
			Deciding       study.Estimate
		}
		Comparisons []struct {
			study.EarlierResult
			Estimator, Metric string
		}
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return study.Earlier{}, err
	}
	e := study.Earlier{
		Measured: r.Measured, Spent: r.Spent, Revision: cmp.Or(r.Plan.Revision, r.Provenance.Revision, r.Revision),
		Machine: cmp.Or(r.Plan.Machine, r.Machine), Toolchain: cmp.Or(r.Plan.Toolchain, r.Toolchain),
	}
	if e.Measured == "" && !r.Started.IsZero() {
		e.Measured = r.Started.UTC().Format(time.DateOnly)
	}
	for _, c := range r.Results {
		if c.Estimator != "" && c.Deciding.Launches > 1 {
			e.Add(study.EarlierResult{Benchmark: c.Benchmark, Arm: c.Arm, Cell: c.Cell, Verdict: c.Verdict, By: c.Estimator, Effect: c.Deciding.Effect, Lo: c.Deciding.Lo, Hi: c.Deciding.Hi})
		}
	}
	for _, c := range r.Comparisons {
		c.By = cmp.Or(c.Estimator, c.Metric)
		e.Add(c.EarlierResult)
	}
	return e, nil
}

// earlierOf are the measurements of the history that a study's result replaced.
func earlierOf(s committed.Study, history []study.Earlier) []study.Earlier {
	if s.Verdict == nil {
		return history
	}
	now := study.AsEarlier(*s.Verdict)
	return slices.DeleteFunc(slices.Clone(history), now.Same)
}

// repeated checks that the earlier measurements beside each study are those of the
// history. write writes them in place.
func (f *Finding) repeated(ctx context.Context, root string, studies []committed.Study, write bool) error {
	history, err := measurements(ctx, root)
	if err != nil {
		return err
	}
	for _, s := range studies {
		want := earlierOf(s, history[relative(root, s.Dir)])
		if sameMeasurements(s.Earlier, want) {
			continue
		}
		if write {
			if err := study.WriteEarlier(s.Dir, want); err != nil {
				return err
			}
			continue
		}
		f.Problems = append(f.Problems, Problem{File: relative(root, filepath.Join(s.Dir, study.EarlierName)),
			Text: fmt.Sprintf("it has not the %d earlier measurements of the history; commit verdict.json, then go run ./internal/lab record -earlier writes them", len(want))})
	}
	return nil
}

func sameMeasurements(a, b []study.Earlier) bool {
	x, err := json.Marshal(a)
	if err != nil {
		return false
	}
	y, err := json.Marshal(b)
	return err == nil && (string(x) == string(y) || len(a)+len(b) == 0)
}
