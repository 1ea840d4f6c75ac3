package trycmd

import (
	"cmp"
	"context"
	"errors"
	"os"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/cli"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/term"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// tryOne answers one question. whole is the folder of the batch that it is part
// of, if it is.
func tryOne(ctx context.Context, f *tryFlags, o experiment.Options, whole string) (int, error) {
	defer o.Progress.Clear()
	if f.dryRun {
		return dryRun(ctx, f, o)
	}
	out, err := experiment.Run(ctx, o)
	o.Progress.Clear()
	for _, n := range out.Notices {
		cli.Complain(errors.New(n))
	}
	interrupted := errors.Is(err, context.Canceled)
	switch {
	case err != nil && !interrupted:
		if out.Judged {
			err = cmp.Or(err, show(f, o, out))
		}
		return exitcode.Of(err), err
	case interrupted && len(out.Records) == 0 && whole != "":
		return exitcode.Interrupted, fault.Errorf(fault.Interrupted, "interrupted; finished launches are kept. To continue: poolproof try -resume %s%w", whole, hidden{err})
	case interrupted && len(out.Records) == 0:
		return exitcode.Interrupted, fault.Errorf(fault.Interrupted, "interrupted before anything was measured%w", hidden{err})
	}
	if f.record && !interrupted {
		return recorded(o, out), nil
	}
	if err := show(f, o, out); err != nil {
		return exitcode.Usage, err
	}
	if interrupted {
		return exitcode.Interrupted, fault.Errorf(fault.Interrupted,
			"interrupted; %s kept. To continue: poolproof try -resume %s%w", words.Plural(len(out.Records), "launch is", "launches are"), cmp.Or(whole, o.Out), hidden{err})
	}
	if err := cmp.Or(update(f, o, out), keepIn(f.keep, out.Verdict)); err != nil {
		return exitcode.Usage, err
	}
	if whole == "" {
		if err := writeOut(ctx, f, o, out.Verdict); err != nil {
			return exitcode.Of(err), err
		}
	}
	return codeOf(out.Verdict, f.strict), nil
}

// dryRun prints the plan and measures nothing.
func dryRun(ctx context.Context, f *tryFlags, o experiment.Options) (int, error) {
	p, err := experiment.Plan(ctx, o)
	o.Progress.Clear()
	if errors.Is(err, context.Canceled) {
		return exitcode.Interrupted, fault.Errorf(fault.Interrupted, "interrupted%w", hidden{err})
	}
	if err != nil {
		return exitcode.Of(err), err
	}
	if f.json {
		return exitcode.OK, study.Encode(os.Stdout, p)
	}
	return exitcode.OK, term.Plan(os.Stdout, p)
}

// hidden keeps an error in a chain whose text says all without it.
type hidden struct{ error }

func (hidden) Error() string { return "" }

func (h hidden) Unwrap() error { return h.error }
