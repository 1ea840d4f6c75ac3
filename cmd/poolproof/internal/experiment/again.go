package experiment

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// JudgeAgain judges the records in the folder of a run by the rule of this
// program, whichever rule they were measured by, and writes the verdict's files
// again. It builds and measures nothing, so that any machine will do; plan.json
// and records.jsonl stay as they are. An error says which of them cannot be used.
func JudgeAgain(dir string, show ask.Show) (Outcome, error) {
	bad := func(err error) (Outcome, error) {
		return Outcome{}, fault.Option("judge", dir, "%w", err)
	}
	p, err := study.ReadPlan(filepath.Join(dir, planFile))
	if err != nil {
		return bad(err)
	}
	unlock, err := Lock(dir, "judge")
	if err != nil {
		return Outcome{}, err
	}
	defer unlock()
	f, err := os.Open(filepath.Join(dir, recordsFile))
	if err != nil {
		return bad(err)
	}
	defer f.Close()
	records, notice, err := study.ReadRecords(f, f.Name())
	if err != nil {
		return bad(err)
	}
	out := Outcome{Records: records, Judged: true}
	if notice != "" {
		out.Notices = append(out.Notices, notice)
	}
	if out.Verdict, err = stat.Judge(p, records); err != nil {
		return bad(err)
	}
	if err := stat.Missing(p, records); err != nil {
		return bad(fmt.Errorf("%w; restore its record in %s, or go on with the run, which measures it again", err, recordsFile))
	}
	if was, err := study.ReadVerdict(filepath.Join(dir, verdictFile)); err == nil && was.Digest == out.Verdict.Digest {
		if err := complete(was, out.Verdict); err != nil {
			return bad(err)
		}
		if was.Interrupted {
			interrupted(&out.Verdict)
		}
	}
	return out, writeVerdict(dir, show, out)
}

// complete refuses to judge fewer launches than the verdict has that was made of
// the same records: some are missing now.
func complete(was, now study.VerdictFile) error {
	for i, r := range now.Results {
		if i < len(was.Results) && was.Results[i].Comparison == r.Comparison && r.Launches < was.Results[i].Launches {
			return fmt.Errorf("%s has %d launches of %s, and %s was made of %d; restore the records, or remove %[4]s to judge without them",
				recordsFile, r.Launches, r.Comparison, verdictFile, was.Results[i].Launches)
		}
	}
	return nil
}
