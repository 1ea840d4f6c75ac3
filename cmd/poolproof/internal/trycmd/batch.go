package trycmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/cli"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// batchName is the file that a batch keeps beside the folders of its studies.
const batchName = "studies.json"

// batch is several questions asked by one command: studies, or the packages of a
// pattern. Its file says how far it is,
// so that -resume of its folder goes on with the whole.
type batch struct {
	Schema int         `json:"schema"` // study.Schema
	Parts  []batchPart `json:"parts"`
}

// batchPart is one question of a batch.
type batchPart struct {
	Question study.Question `json:"question"`
	Name     string         `json:"name"` // of its folder of results, in that of the batch
	// State is "" before it is begun, "begun", "done", or "nothing" where it has
	// nothing to compare.
	State string `json:"state,omitempty"`
}

const (
	begun   = "begun"
	done    = "done"
	nothing = "nothing"
)

// newBatch makes the batch of several questions.
func newBatch(questions []experiment.Options) *batch {
	b := &batch{Schema: study.Schema}
	for _, q := range questions {
		b.Parts = append(b.Parts, batchPart{Question: q.Question, Name: filepath.Base(q.Out)})
	}
	return b
}

// readBatch reads the file of a batch. fs.ErrNotExist: there is none.
func readBatch(dir string) (*batch, error) {
	name := filepath.Join(dir, batchName)
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	b := new(batch)
	if err := json.Unmarshal(text, b); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if b.Schema != study.Schema {
		return nil, fmt.Errorf("%s: schema %d, this program reads %d", name, b.Schema, study.Schema)
	}
	if len(b.Parts) == 0 {
		return nil, fmt.Errorf("%s holds no question", name)
	}
	return b, nil
}

// write keeps the state of the batch.
func (b *batch) write(dir string) error {
	err := study.WriteFile(filepath.Join(dir, batchName), func(w io.Writer) error { return study.Encode(w, b) })
	if err != nil {
		return fault.Option("out", dir, "cannot write to it: %w", err)
	}
	return nil
}

// tryAll answers the questions of a batch in turn. One that fails does not keep
// the others from their verdict. kept: verdicts of parts that are done are
// shown as they are; otherwise what was begun goes on, and with it what is done.
func tryAll(ctx context.Context, f *tryFlags, b *batch, dir string, questions []experiment.Options, kept bool) (int, error) {
	unlock, err := experiment.Lock(dir, "out")
	if err != nil {
		return exitcode.Usage, err
	}
	defer unlock()
	var whole, before time.Duration
	for _, o := range questions {
		whole += o.Budget
	}
	code, shown := exitcode.OK, false
	var last error          // of the last part; those of others are told at once
	var spare time.Duration // of the parts before, for those after
	for i, o := range questions {
		cli.Complain(last)
		last = nil
		part := &b.Parts[i]
		o.Progress = progress.Part(o.Progress, before, whole, fmt.Sprintf("%d/%d %s", i+1, len(questions), part.Name))
		before += o.Budget
		if kept && part.State == nothing {
			continue
		}
		if shown && !f.json {
			fmt.Println()
		}
		shown = true
		if kept && part.State == done {
			c, err := showKept(f, o)
			if err == nil {
				code = exitcode.Highest(code, c)
				continue
			}
			cli.Complain(fmt.Errorf("%s: %w; it is measured again", o.Path, err))
		}
		o.Resume = part.State != "" && build.Exists(filepath.Join(o.Out, study.PlanName)) // else it has no plan yet
		o.Budget, spare = o.Budget+spare, 0
		part.State, part.Question.Budget = begun, o.Budget
		if err := b.write(dir); err != nil {
			return exitcode.Usage, err
		}
		c, err := tryOne(ctx, f, o, dir)
		switch {
		case errors.Is(err, context.Canceled):
			return exitcode.Highest(code, c, exitcode.Of(err)), err
		case errors.As(err, &build.Nothing{}):
			part.State, shown, spare = nothing, false, unspent(o, 0)
			cli.Complain(nothingToCompare(o, err))
			c, err = exitcode.OK, b.write(dir)
		case err == nil:
			part.State = done
			if v, err := study.ReadVerdict(filepath.Join(o.Out, study.VerdictName)); err == nil {
				spare = unspent(o, time.Duration(v.Spent))
			}
			err = b.write(dir)
		}
		code, last = exitcode.Highest(code, c, exitcode.Of(err)), err
	}
	if last == nil && !slices.ContainsFunc(b.Parts, func(p batchPart) bool { return p.State != nothing }) {
		return exitcode.Usage, fault.Errorf(fault.Input, "no package has anything to compare")
	}
	files, err := showPools(f, b, dir)
	if err != nil {
		return exitcode.Usage, err
	}
	if last == nil {
		last = writeOut(ctx, f, questions[0], files...)
	}
	return exitcode.Highest(code, exitcode.Of(last)), last
}

// unspent returns the time that a part of a batch leaves of its budget for those after it.
// A study has a budget of its own.
func unspent(o experiment.Options, spent time.Duration) time.Duration {
	if o.Kind == study.KindStudy {
		return 0
	}
	return max(0, o.Budget-spent)
}

// nothingToCompare says that a part of a batch is passed over.
func nothingToCompare(o experiment.Options, err error) error {
	return fmt.Errorf("%s: nothing to compare: %s", o.Path, cli.Worded(err))
}

// showKept shows the verdict that an earlier sitting came to.
func showKept(f *tryFlags, o experiment.Options) (int, error) {
	v, err := study.ReadVerdict(filepath.Join(o.Out, study.VerdictName))
	if err != nil {
		return exitcode.Usage, err
	}
	out := experiment.Outcome{Verdict: v}
	if err := show(f, o, out); err != nil {
		return exitcode.Usage, err
	}
	if err := update(f, o, out); err != nil {
		return exitcode.Usage, err
	}
	return codeOf(v, f.strict), nil
}

// resumeBatch goes on with the whole that a folder holds.
func resumeBatch(ctx context.Context, f *tryFlags, b *batch) (int, error) {
	bad := func(format string, args ...any) (int, error) {
		return exitcode.Usage, fault.Option("resume", f.resume, format, args...)
	}
	var questions []experiment.Options
	for _, part := range b.Parts {
		q := f.again(part.Question)
		switch {
		case q.Kind == "":
			return bad("%s holds no question", batchName)
		case f.update && q.Kind != study.KindStudy:
			return bad("-update goes with studies: only they have a committed VERDICT.md")
		case missing(q):
			return bad("there is no %s here: resume in the folder where the run was started", q.Path)
		}
		questions = append(questions, f.options(q, filepath.Join(f.resume, part.Name)))
	}
	return tryAll(ctx, f, b, f.resume, questions, !f.given["budget"])
}
