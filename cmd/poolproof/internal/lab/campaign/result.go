package campaign

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Result is the result of one task: a line of campaign.jsonl.
type Result struct {
	ID        string          `json:"id"`
	Setup     string          `json:"setup"` // digest of rule, benchmarks and toolchain: results of two set-ups do not mix
	Verdict   study.Verdict   `json:"verdict,omitempty"`
	Time      study.Class     `json:"time,omitempty"`
	Memory    study.Class     `json:"memory,omitempty"`
	Estimator study.Estimator `json:"estimator,omitzero"`
	Effect    float64         `json:"effect"` // of the deciding estimate, or of benchstat, or of the long runs
	Lo        float64         `json:"lo"`
	Hi        float64         `json:"hi"`
	Mutator   float64         `json:"mutator,omitempty"` // effect between collections, wall
	P         float64         `json:"p,omitempty"`       // benchstat's
	Spent     study.Duration  `json:"spent"`
	Whole     study.Duration  `json:"whole,omitempty"`   // of a question's run, builds included
	Foreign   float64         `json:"foreign,omitempty"` // load by others, share
	Reason    string          `json:"reason,omitempty"`
	// Collects is the mean number of collections in a burst of either side; nil:
	// not known.
	Collects *float64 `json:"collects,omitempty"`
	// Rule is the version of the rule that judged; 0: the first. Toolchain and
	// Machine say what was measured on, so that any machine can print the tables.
	Rule      int           `json:"rule,omitempty"`
	Toolchain string        `json:"toolchain,omitempty"`
	Machine   study.Machine `json:"machine,omitzero"`
}

// read returns the results of an earlier sitting by ID; a torn last line is
// dropped. A result of another set-up is an error; setup "" takes that of the
// first.
func read(name, setup string) (map[string]Result, error) {
	done := map[string]Result{}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return done, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	n := 0
	for lines.Scan() {
		n++
		var r Result
		if json.Unmarshal(lines.Bytes(), &r) != nil {
			continue
		}
		if setup == "" {
			setup = r.Setup
		}
		if r.Setup != setup {
			return nil, fmt.Errorf("%s:%d: the result is of another rule, toolchain or set of benchmarks; start a campaign in another folder", name, n)
		}
		done[r.ID] = r
	}
	return done, lines.Err()
}

// add appends one result as one synced line. A torn line before it is ended.
func add(name string, r Result) error {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	defer f.Close()
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if info, err := f.Stat(); err == nil && info.Size() > 0 {
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, info.Size()-1); err == nil && last[0] != '\n' {
			b = append([]byte{'\n'}, b...)
		}
	}
	if _, err := f.Write(append(b, '\n')); err != nil {
		return err
	}
	return f.Sync()
}
