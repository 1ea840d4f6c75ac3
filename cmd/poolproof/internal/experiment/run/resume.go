package run

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/plan"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// ReadPlan reads the plan of the run that is resumed.
func ReadPlan(o ask.Options) (study.Plan, error) {
	p, err := study.ReadPlan(filepath.Join(o.Out, study.PlanName))
	if err != nil {
		return p, fault.Option("resume", o.Out, "%w", err)
	}
	if len(p.Binaries) == 0 {
		return p, fault.Option("resume", o.Out, "its plan names no binary; begin a new run")
	}
	return p, nil
}

// Rebuild builds the binaries of the plan of a stopped run again: only launches
// of the same binaries, in the same environment, may be judged together.
func Rebuild(ctx context.Context, bs *build.Set, o ask.Options, p study.Plan) (study.Plan, error) {
	for _, c := range p.Comparisons {
		for _, side := range []study.Bench{c.BaselineBench, c.CandidateBench} {
			if err := bs.Again(ctx, side.Binary, c.Cell); err != nil {
				return p, err
			}
		}
	}
	if why := otherSetting(p, bs); why != "" {
		return p, fault.Option("resume", o.Out, "%s; restore that, or begin a new run", why)
	}
	bs.Engine = p.Engine
	p.Budget = study.Duration(o.Budget)
	again := p.Question
	again.Budget = o.Budget // of all sittings
	p.Command = again.Command()
	for i := range p.Comparisons {
		if c := &p.Comparisons[i]; c.Skipped != "" && c.Complete() {
			c.Skipped = plan.OutOfReach(o.Budget, 0) // of this sitting; there may be room now
		}
	}
	if err := os.MkdirAll(bs.Main().Bin, 0o777); err != nil {
		return p, fault.Option("resume", o.Out, "%w", err)
	}
	sums := map[string]string{}
	for _, b := range p.Binaries {
		if b.Layout > 0 {
			continue
		}
		sums[b.ID] = b.SHA256
		if bs.Target(b.ID) == nil {
			return p, changed(o.Out, b.Package+" ("+b.ID+")")
		}
	}
	built, err := bs.Compile(ctx, o.Progress, func(id string) bool { return sums[id] != "" })
	if err != nil {
		return p, err
	}
	for _, b := range built {
		if b.SHA256 != sums[b.ID] {
			return p, changed(o.Out, bs.Target(b.ID).String())
		}
		delete(sums, b.ID)
	}
	for id := range sums { // optional, and not to be had any more
		return p, fault.Option("resume", o.Out, "%s cannot be built any more: %s; begin a new run", id, bs.Absent[id])
	}
	return p, nil
}

// changed is the error for a package whose binary is not the plan's any more.
func changed(out, pkg string) error {
	return fault.Option("resume", out, "%s builds to another binary now: its source, its folder or the build flags changed; begin a new run", pkg)
}

// otherSetting says what differs from the setting that the plan was made in,
// "" if nothing does. The binary is compared elsewhere.
func otherSetting(p study.Plan, bs *build.Set) string {
	if pkg := bs.Main().Package.Path; p.Package != pkg {
		return fmt.Sprintf("the run is of package %s, not %s", p.Package, pkg)
	}
	for _, t := range bs.Targets {
		if was, chain := p.ToolchainOf(t.ID), t.Toolchain(); was != chain {
			return fmt.Sprintf("the run was with %s, the go command there is %s", was, chain)
		}
	}
	if env := plan.Environment(); !slices.Equal(p.Env, env) {
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
