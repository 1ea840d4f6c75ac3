// Package findcmd is "poolproof find": flags, a profile, its sites with what could
// be tried at each, and an exit code.
package findcmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/cli"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile/attribute"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile/candidate"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile/own"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/scratch"
)

// Run is the subcommand.
func Run(ctx context.Context, args []string) (int, error) {
	f, err := parseFind(args)
	switch {
	case errors.Is(err, cli.ErrHelp):
		return exitcode.OK, nil
	case err != nil:
		return exitcode.Usage, err
	}
	ask := f.benchmarks
	if len(f.profiles) > 0 {
		ask = f.taken
	}
	r, remove, err := ask(ctx)
	if r == nil {
		return exitcode.Of(err), err
	}
	defer remove()
	interrupted := errors.Is(err, context.Canceled)
	if err != nil && !interrupted {
		return exitcode.Of(err), err
	}
	if err := f.show(r); err != nil {
		return exitcode.Usage, err
	}
	if interrupted {
		return exitcode.Interrupted, fault.Errorf(fault.Interrupted, "interrupted; the sites so far are above")
	}
	return r.code(), nil
}

// benchmarks profiles the packages' own benchmarks.
func (f *findFlags) benchmarks(ctx context.Context) (*found, func(), error) {
	a, err := own.Ask(ctx, own.Question{
		Patterns: f.args, Tags: f.tags, Bench: f.bench, Budget: f.profiling(), Timeout: f.timeout, CPU: true, Progress: progress.New(os.Stderr),
	})
	if a == nil {
		return nil, nil, err
	}
	r := &found{profile: a.Profile, packages: a.Packages}
	if f.lifetimes && err == nil {
		f.watch(ctx, r, a.Scope)
	}
	if failed := f.choose(ctx, r, a.Scope); failed != nil {
		a.Close()
		return nil, nil, failed
	}
	return r, a.Close, err
}

// taken reads profiles that were taken elsewhere, and joins them with the source
// of the module in the working directory.
func (f *findFlags) taken(ctx context.Context) (*found, func(), error) {
	t, err := profile.Read(ctx, f.profiles, f.timeout)
	if err != nil {
		return nil, nil, err
	}
	links, remove, err := scratch.Make()
	if err != nil {
		return nil, nil, err
	}
	r, err := f.join(ctx, t, links)
	if err != nil {
		remove()
		return nil, nil, err
	}
	return r, remove, nil
}

func (f *findFlags) join(ctx context.Context, t profile.Taken, links string) (*found, error) {
	here, err := filepath.Abs(".")
	if err != nil {
		return nil, err
	}
	chain, err := overlay.Find(ctx, here, links)
	if err != nil {
		return nil, err
	}
	if chain.Mod == "" {
		return nil, fault.Errorf(fault.Input, "%s is in no module: run find in the folder of the module that the profile's program is built from", here)
	}
	scope := new(attribute.Scope)
	if err := scope.Add(ctx, chain, here, f.tags, "./..."); err != nil {
		return nil, err
	}
	p, err := scope.Samples(ctx, t.Samples)
	if err != nil {
		return nil, err
	}
	p.CPU = t.CPU
	for _, s := range p.Sites {
		if t.CPU.Samples > 0 {
			s.Bound = profile.Bound{CPU: t.CPU.Bound(s.ByteShare, s.ObjectShare), Bytes: s.ByteShare, Benchmark: profile.OfProfile}
		}
	}
	if len(p.Sites) == 0 {
		return nil, fault.Option("profile", f.profiles[0], "none of its functions is in the module of %s: run find in the folder of the module that its program is built from (most is allocated below %s)",
			filepath.Dir(chain.Mod), profile.Short(attribute.Top(t.Samples)))
	}
	r := &found{profile: p, sources: t.Names}
	stale := 0.0
	for _, s := range p.Sites {
		if s.Stale {
			stale += s.ByteShare
		}
	}
	if stale > 0 {
		r.notes = append(r.notes, fmt.Sprintf("%s of the bytes are at lines where the source here has another function: the program was built from another version.", percent(stale)))
	}
	return r, f.choose(ctx, r, scope)
}

// choose keeps the sites that are worth a line, and finds what could be tried
// at each.
func (f *findFlags) choose(ctx context.Context, r *found, scope *attribute.Scope) error {
	hot := r.profile.Hot(leastShare, 0)
	if f.top > 0 && len(hot) > f.top {
		r.more = len(hot) - f.top
		hot = hot[:f.top]
	}
	var err error
	// A Ctrl-C ends the measuring; what was measured is still looked at.
	r.candidates, err = candidate.Of(context.WithoutCancel(ctx), scope, hot)
	return err
}
