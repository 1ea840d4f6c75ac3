package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// tryResume goes on with the run in a folder: its plan knows the question.
func tryResume(ctx context.Context, f *tryFlags) (int, error) {
	bad := func(format string, args ...any) (int, error) {
		return exitcode.Usage, exitcode.Errorf(exitcode.Usage, "-resume %s: "+format, append([]any{f.resume}, args...)...)
	}
	p, err := study.ReadPlan(filepath.Join(f.resume, study.PlanName))
	if errors.Is(err, fs.ErrNotExist) {
		b, err := readBatch(f.resume)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return bad("no run was started there: it holds no %s", study.PlanName)
		case err != nil:
			return bad("%w", err)
		}
		return resumeBatch(ctx, f, b)
	}
	if err != nil {
		return bad("%w", err)
	}
	if len(p.Command) < 3 {
		return bad("its plan does not say what was asked")
	}
	asked, err := parseTry(p.Command[2:])
	if err != nil {
		return bad("its plan does not say what was asked: %w", err)
	}
	if asked.resume != "" {
		return bad("its plan does not say what was asked")
	}
	asked.goOn(f)
	if asked.update && p.Kind != study.KindStudy {
		return bad("-update goes with studies: only they have a committed VERDICT.md")
	}
	if path := relativePath(asked); path != "" {
		return bad("there is no %s here: resume in the folder where the run was started", path)
	}
	questions, err := asked.questions()
	if err != nil {
		return bad("%w", err)
	}
	if len(questions) != 1 || questions[0].Kind != p.Kind {
		return bad("its plan does not say what was asked")
	}
	o := questions[0]
	o.Out, o.Resume = f.resume, true
	return tryOne(ctx, asked, o, "")
}

// goOn takes over what a resumption may choose anew.
func (f *tryFlags) goOn(now *tryFlags) {
	if now.given["budget"] {
		f.budget = now.budget
	}
	if now.given["timeout"] {
		f.timeout = now.timeout
	}
	f.json, f.strict, f.update, f.verbose = now.json, now.strict, now.update, now.verbose
}

// relativePath returns the folder that the question names if it is not there,
// as seen from here; "" if it is, or if it may be an import path, or be there
// in another revision only.
func relativePath(f *tryFlags) string {
	for _, arg := range f.args {
		if _, err := os.Stat(arg); err != nil && f.head == "" && (f.vary == "" && !f.aa && f.base == "" || arg[0] == '.') {
			return arg
		}
	}
	return ""
}
