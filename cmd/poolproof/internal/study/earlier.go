package study

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// EarlierName is the name of the file beside a study file that keeps the
// measurements which later ones replaced: a line of JSON each, the oldest first.
const EarlierName = "earlier.jsonl"

// Earlier is a measurement of a study that a later one replaced: its times, so that
// a reader can see what measuring again changed. Counts are left out; they repeat.
type Earlier struct {
	Measured  string          `json:"measured"` // the day of the first launch
	Revision  string          `json:"revision,omitempty"`
	Machine   Machine         `json:"machine"`
	Toolchain string          `json:"toolchain"`
	Spent     string          `json:"spent"` // as verdict.json has it: with the day it tells measurements apart
	Results   []EarlierResult `json:"results"`
}

// EarlierResult is the time of one comparison.
type EarlierResult struct {
	Benchmark string   `json:"benchmark"`
	Arm       string   `json:"arm"`
	Cell      []string `json:"cell,omitempty"`
	Verdict   Verdict  `json:"verdict"`
	By        string   `json:"by"` // the estimator, as "T wall"
	Effect    float64  `json:"effect"`
	Lo        float64  `json:"lo"`
	Hi        float64  `json:"hi"`
}

// Same reports whether two measurements are one.
func (e Earlier) Same(o Earlier) bool { return e.Measured == o.Measured && e.Spent == o.Spent }

// Add appends the time of a comparison that has an interval.
func (e *Earlier) Add(r EarlierResult) {
	if r.By == "" || r.Lo == r.Hi {
		return
	}
	for _, x := range []*float64{&r.Effect, &r.Lo, &r.Hi} {
		*x = math.Round(*x*1e4) / 1e4
	}
	e.Results = append(e.Results, r)
}

// Find returns the time of the same comparison.
func (e Earlier) Find(r Result) (EarlierResult, bool) {
	i := slices.IndexFunc(e.Results, func(was EarlierResult) bool {
		return was.Benchmark == r.Benchmark && was.Arm == r.Arm && slices.Equal(was.Cell, r.Cell)
	})
	if i < 0 {
		return EarlierResult{}, false
	}
	return e.Results[i], true
}

// Meets reports whether the interval and that of a later result have a part in
// common.
func (r EarlierResult) Meets(now Estimate) bool { return r.Lo <= now.Hi && now.Lo <= r.Hi }

// AsEarlier returns the part of a verdict file that is kept when another measurement replaces it.
func AsEarlier(v VerdictFile) Earlier {
	e := Earlier{Revision: v.Plan.Revision, Machine: v.Plan.Machine, Toolchain: v.Plan.Toolchain, Spent: time.Duration(v.Spent).String()}
	if !v.Started.IsZero() {
		e.Measured = v.Started.UTC().Format(time.DateOnly)
	}
	for _, r := range v.Results {
		if r.Timed() && r.Deciding.Launches > 1 {
			e.Add(EarlierResult{r.Benchmark, r.Arm, r.Cell, r.Verdict, r.Estimator.String(), r.Deciding.Effect, r.Deciding.Lo, r.Deciding.Hi})
		}
	}
	return e
}

// ReadEarlier reads earlier.jsonl of a study's folder. Without the file there is
// none.
func ReadEarlier(dir string) ([]Earlier, error) {
	name := filepath.Join(dir, EarlierName)
	text, err := os.ReadFile(filepath.Clean(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []Earlier
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, len(text)+1)
	for n := 1; lines.Scan(); n++ {
		var e Earlier
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		all = append(all, e)
	}
	return all, lines.Err()
}

// WriteEarlier writes it. See WriteFile.
func WriteEarlier(dir string, all []Earlier) error {
	var lines bytes.Buffer
	e := json.NewEncoder(&lines)
	e.SetEscapeHTML(false)
	for _, m := range all {
		if err := e.Encode(m); err != nil {
			return err
		}
	}
	return WriteFile(filepath.Join(dir, EarlierName), func(w io.Writer) error { _, err := lines.WriteTo(w); return err })
}
