package trycmd

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// tryResume goes on with the run in a folder: its plan knows the question.
func tryResume(ctx context.Context, f *tryFlags) (int, error) {
	bad := func(format string, args ...any) (int, error) {
		return exitcode.Usage, fault.Option("resume", f.resume, format, args...)
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
	q := p.Question
	switch {
	case q.Kind == "" || q.Kind != p.Kind:
		return bad("its plan holds no question")
	case f.update && q.Kind != study.KindStudy:
		return bad("-update goes with studies: only they have a committed VERDICT.md")
	case missing(q):
		return bad("there is no %s here: resume in the folder where the run was started", q.Path)
	}
	o := f.options(f.again(q), f.resume)
	o.Resume = true
	return tryOne(ctx, f, o, "")
}
