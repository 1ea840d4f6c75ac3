package experiment

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// readPlan reads the plan of the run that is resumed.
func readPlan(o Options) (study.Plan, error) {
	p, err := study.ReadPlan(filepath.Join(o.Out, planFile))
	if err != nil {
		return p, exitcode.Errorf(exitcode.Usage, "-resume %s: %w", o.Out, err)
	}
	if p.Schema < study.Schema {
		return p, exitcode.Errorf(exitcode.Usage, "-resume %s: its plan is of an earlier program, whose records -judge reads; start again without -resume", o.Out)
	}
	if len(p.Binaries) == 0 {
		return p, exitcode.Errorf(exitcode.Usage, "-resume %s: its plan names no binary; start anew without -resume", o.Out)
	}
	return p, nil
}

// resume builds the binaries of the plan of a stopped run again: only launches
// of the same binaries, in the same environment, may be judged together.
func resume(ctx context.Context, bs *builds, o Options, p study.Plan) (study.Plan, error) {
	if why := otherSetting(p, bs); why != "" {
		return p, exitcode.Errorf(exitcode.Usage, "-resume %s: %s; restore that, or start anew without -resume", o.Out, why)
	}
	bs.engine = p.Engine
	p.Budget = study.Duration(o.Budget)
	for i := range p.Comparisons {
		if c := &p.Comparisons[i]; c.Skipped != "" && c.Complete() {
			c.Skipped = outOfReach(o.Budget, 0) // of this sitting; there may be room now
		}
	}
	if err := os.MkdirAll(bs.main().bin, 0o777); err != nil {
		return p, exitcode.Errorf(exitcode.Usage, "-resume %s: %w", o.Out, err)
	}
	sums := map[string]string{}
	for _, b := range p.Binaries {
		if b.Layout > 0 {
			continue
		}
		sums[b.ID] = b.SHA256
		if bs.target(b.ID) == nil {
			return p, changed(o.Out, b.Package+" ("+b.ID+")")
		}
	}
	built, err := bs.compile(ctx, o.Progress, func(id string) bool { return sums[id] != "" })
	if err != nil {
		return p, err
	}
	for _, b := range built {
		if b.SHA256 != sums[b.ID] {
			return p, changed(o.Out, bs.target(b.ID).String())
		}
		delete(sums, b.ID)
	}
	for id := range sums { // optional, and not to be had any more
		return p, exitcode.Errorf(exitcode.Usage, "-resume %s: %s cannot be built any more: %s; start anew without -resume", o.Out, id, bs.absent[id])
	}
	return p, nil
}

// changed is the error for a package whose binary is not the plan's any more.
func changed(out, pkg string) error {
	return exitcode.Errorf(exitcode.Usage, "-resume %s: %s builds to another binary now: its source, its folder or the build flags changed; start anew without -resume", out, pkg)
}

// otherSetting says what differs from the setting that the plan was made in,
// "" if nothing does. The binary is compared elsewhere.
func otherSetting(p study.Plan, bs *builds) string {
	if pkg := bs.main().pkg.Path; p.Package != pkg {
		return fmt.Sprintf("the run is of package %s, not %s", p.Package, pkg)
	}
	for _, t := range bs.targets {
		if was, chain := p.ToolchainOf(t.id), t.toolchain(); was != chain {
			return fmt.Sprintf("the run was with %s, the go command there is %s", was, chain)
		}
	}
	if env := environment(); !slices.Equal(p.Env, env) {
		return fmt.Sprintf("the run was with %s in the environment, now it is %s", list(p.Env), list(env))
	}
	return ""
}

func list(env []string) string {
	if len(env) == 0 {
		return "nothing"
	}
	return strings.Join(env, " ")
}
