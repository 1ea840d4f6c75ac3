package record

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/committed"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/git"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// resultNames are the files in which results were committed: RESULT.json before
// verdict.json.
var resultNames = []string{study.VerdictName, "RESULT.json"}

// recorded is a result as a commit has it.
type recorded struct {
	study.Earlier
	binaries string // their digests, sorted
	program  string // the digest of the program that measured, and its revision
	command  string
}

// histories caches what was read of a repository, by the commit that it was read at.
var histories sync.Map

// historyOf are the results that the history of a repository has of each study, each
// text once, the oldest first, by the study's folder with slashes.
func historyOf(ctx context.Context, root string) (map[string][]recorded, error) {
	head, err := git.Commit(ctx, root, "HEAD")
	if err != nil {
		return nil, err
	}
	if known, ok := histories.Load(head); ok {
		return known.(map[string][]recorded), nil
	}
	args := []string{"log", "--reverse", "--raw", "--no-abbrev", "--no-renames", "--diff-filter=AM", "--format=", "--"}
	for _, name := range resultNames {
		args = append(args, ":(glob)studies/**/"+name)
	}
	log, err := git.Output(ctx, root, args...)
	if err != nil {
		return nil, err
	}
	out, seen := map[string][]recorded{}, map[string]bool{}
	gone := map[string]bool{}
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
		r, err := parseResult([]byte(text))
		if err != nil {
			return nil, fmt.Errorf("%s of blob %s: %w", fields[5], fields[3], err)
		}
		if _, known := gone[r.Revision]; !known {
			_, err := git.Commit(ctx, root, r.Revision)
			gone[r.Revision] = err != nil
		}
		if gone[r.Revision] {
			r.Revision = "" // the history was rewritten since, and does not have this commit
		}
		dir := path.Dir(fields[5])
		out[dir] = append(out[dir], r)
	}
	histories.Store(head, out)
	return out, nil
}

// measurements are those of a history, each once.
func measurements(history []recorded) (out []study.Earlier) {
	for _, r := range history {
		if len(r.Results) > 0 && !slices.ContainsFunc(out, r.Same) {
			out = append(out, r.Earlier)
		}
	}
	return out
}

// altered says what a result has otherwise than the history has it of the same
// measurement: a measurement is committed once, and only judged again.
func altered(now recorded, history []recorded) string {
	for _, was := range history {
		if !was.Same(now.Earlier) || len(now.Results) == 0 { // one that timed nothing has no identity
			continue
		}
		for _, f := range []struct{ name, was, now string }{
			{"revision", was.Revision, now.Revision},
			{"toolchain", was.Toolchain, now.Toolchain},
			{"machine", was.Machine.CPU, now.Machine.CPU},
			{"digests of the binaries", was.binaries, now.binaries},
			{"program", was.program, now.program},
			{"command", was.command, now.command},
		} {
			if f.was != "" && f.was != f.now {
				return fmt.Sprintf("the %s %q, where the history has %q of the same measurement", f.name, f.now, f.was)
			}
		}
		for _, r := range was.Results {
			if i := slices.IndexFunc(now.Results, func(n study.EarlierResult) bool {
				return n.Benchmark == r.Benchmark && n.Arm == r.Arm && slices.Equal(n.Cell, r.Cell) && n.By == r.By
			}); i >= 0 && (now.Results[i].Effect != r.Effect || now.Results[i].Lo != r.Lo || now.Results[i].Hi != r.Hi) {
				return fmt.Sprintf("the effect %v of %s %s, where the history has %v of the same measurement", now.Results[i].Effect, r.Benchmark, r.Arm, r.Effect)
			}
		}
	}
	return ""
}

// parseResult reads a committed result of any version: what is now plan.json within
// verdict.json stood beside the comparisons before.
func parseResult(text []byte) (recorded, error) {
	type origin struct {
		Revision  string
		Machine   study.Machine
		Toolchain string
		Binaries  []study.Binary
		Command   []string
		Program   study.Program
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
		return recorded{}, err
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
	var digests []string
	for _, b := range slices.Concat(r.Plan.Binaries, r.Provenance.Binaries) {
		if b.Layout == 0 && b.SHA256 != "" {
			digests = append(digests, b.ID+" "+b.SHA256)
		}
	}
	slices.Sort(digests)
	program := cmp.Or(r.Plan.Program, r.Provenance.Program)
	command := r.Command
	if len(command) == 0 {
		command = r.Plan.Command
	}
	return recorded{e, strings.Join(digests, ", "), program.SHA256 + program.Revision, strings.Join(command, " ")}, nil
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
	history, err := historyOf(ctx, root)
	if err != nil {
		return err
	}
	for _, dir := range slices.Sorted(maps.Keys(history)) {
		if !write && !slices.ContainsFunc(studies, func(s committed.Study) bool { return relative(root, s.Dir) == dir }) {
			f.Problems = append(f.Problems, Problem{File: dir, Text: "this study has results in the history, and is gone"})
		}
	}
	for _, s := range studies {
		of := history[relative(root, s.Dir)]
		if s.Verdict != nil && !write {
			name := filepath.Join(s.Dir, study.VerdictName)
			text, err := os.ReadFile(filepath.Clean(name))
			if err != nil {
				return err
			}
			now, err := parseResult(text)
			if err != nil {
				return err
			}
			if why := altered(now, of); why != "" {
				f.Problems = append(f.Problems, Problem{File: relative(root, name), Text: "it has " + why})
			}
		}
		want := earlierOf(s, measurements(of))
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
