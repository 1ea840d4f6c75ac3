package study

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// Kind says what question a plan answers.
type Kind string

const (
	KindStudy  Kind = "study"  // a study file: arms against a baseline, with expectations
	KindVary   Kind = "vary"   // arms are KEY=value parts of benchmark names
	KindAA     Kind = "aa"     // every benchmark against itself: the machine's noise floor
	KindBase   Kind = "base"   // a package in two git revisions
	KindUnpool Kind = "unpool" // a package as it is against the same without one of its pools
	KindSite   Kind = "site"   // a package whose memory is used again, in one way or another, against itself
	KindFiles  Kind = "files"  // two Go benchmark files that somebody made
)

// Question is the question of a run: the choices of the user that shape its plan,
// and nothing of where its files go or how it reports. The flags fill it once;
// the plan keeps it, so that a resumption needs the folder of the run alone.
type Question struct {
	Kind      Kind          `json:"kind"`
	Path      string        `json:"path"`                // study folder, or package: a directory or an import path; "" (KindAA): the built-in benchmarks
	Key       string        `json:"key,omitempty"`       // KindVary: the KEY of KEY=value
	Baseline  string        `json:"baseline,omitempty"`  // KindVary: the value that the others are compared with; "" takes the first
	Base      string        `json:"base,omitempty"`      // KindBase: the git revision that is compared with
	Head      string        `json:"head,omitempty"`      // KindBase: the other one; "": the working tree
	Changed   bool          `json:"changed,omitempty"`   // KindBase: leave out benchmarks that run nothing that differs
	Pool      string        `json:"pool,omitempty"`      // KindUnpool: FILE:LINE of the only one; "": all
	Site      string        `json:"site,omitempty"`      // KindSite: FILE:LINE of allocations, separated by commas; :COLUMN, @BYTES of an average object, and +observed may follow each
	Patch     string        `json:"patch,omitempty"`     // KindSite: file with a unified diff that is tried in place of variants
	FromTest  string        `json:"from_test,omitempty"` // KindUnpool, KindSite: pattern of tests that are run as benchmarks, in place of the package's own
	Bench     string        `json:"bench,omitempty"`     // pattern, as of go test -bench
	Matrix    string        `json:"matrix,omitempty"`    // cells; "" takes the study's
	Tags      string        `json:"tags,omitempty"`      // build tags
	Clock     string        `json:"clock"`               // "auto", "wall" or "cpu"
	Threshold float64       `json:"threshold"`           // practical equality as a share; 0: the study's, else 2 %
	Bytes     float64       `json:"bytes,omitzero"`      // B/op that differ by less are equal, as a share; 0: the rule's
	Allocs    float64       `json:"allocs,omitzero"`     // the same of allocs/op
	Budget    time.Duration `json:"budget"`              // measuring time
	Timeout   time.Duration `json:"timeout"`             // of one answer of a benchmark
	Seed      uint64        `json:"seed"`                // of the coins that choose which side goes first
	Layout    bool          `json:"layout"`              // measure padded builds where code layout could explain a difference
	Builds    bool          `json:"builds,omitempty"`    // with Layout: also where it could hide one
	Sanitize  bool          `json:"sanitize"`            // see that no side misuses a sync.Pool before anything is timed
}

// DefaultQuestion is a question without any flag.
func DefaultQuestion() Question {
	return Question{Kind: KindStudy, Clock: "auto", Budget: 3 * time.Minute, Timeout: time.Minute, Seed: 1, Layout: true, Sanitize: true}
}

// plainQuestion is a Question whose durations are written as people do.
type plainQuestion struct {
	fields
	Budget  Duration `json:"budget"`
	Timeout Duration `json:"timeout"`
}

type fields Question

// MarshalJSON writes durations in the form of time.Duration.String.
func (q Question) MarshalJSON() ([]byte, error) {
	return json.Marshal(plainQuestion{fields(q), Duration(q.Budget), Duration(q.Timeout)})
}

// UnmarshalJSON reads the form of MarshalJSON.
func (q *Question) UnmarshalJSON(b []byte) error {
	var p plainQuestion
	if err := json.Unmarshal(b, &p); err != nil {
		return err
	}
	*q = Question(p.fields)
	q.Budget, q.Timeout = time.Duration(p.Budget), time.Duration(p.Timeout)
	return nil
}

// Command is the command line that asks the question, for people.
func (q Question) Command() []string {
	c, usual := []string{"poolproof", "try"}, DefaultQuestion()
	add := func(name, value string, differs bool) {
		if differs {
			c = append(c, "-"+name, value)
		}
	}
	add("vary", q.Key, q.Key != "")
	if q.Kind == KindAA {
		c = append(c, "-aa")
	}
	if q.Kind == KindUnpool {
		c = append(c, "-unpool")
		if q.Pool != "" {
			c = append(c, q.Pool)
		}
	}
	add("site", q.Site, q.Site != "")
	add("patch", q.Patch, q.Patch != "")
	add("baseline", q.Baseline, q.Baseline != "")
	add("base", q.Base, q.Base != "")
	add("head", q.Head, q.Head != "")
	if q.Changed {
		c = append(c, "-changed")
	}
	add("bench", q.Bench, q.Bench != "")
	add("from-test", q.FromTest, q.FromTest != "")
	add("matrix", q.Matrix, q.Matrix != "")
	add("budget", q.Budget.String(), q.Budget != usual.Budget)
	add("threshold", q.Thresholds(), q.Thresholds() != usual.Thresholds())
	add("clock", q.Clock, q.Clock != usual.Clock)
	add("tags", q.Tags, q.Tags != "")
	add("timeout", q.Timeout.String(), q.Timeout != usual.Timeout)
	add("seed", strconv.FormatUint(q.Seed, 10), q.Seed != usual.Seed)
	if !q.Sanitize {
		c = append(c, "-sanitize=false")
	}
	if !q.Layout {
		c = append(c, "-layout=false")
	}
	if strings.HasPrefix(q.Path, "-") {
		c = append(c, "--")
	}
	if q.Path != "" {
		c = append(c, q.Path)
	}
	return c
}
