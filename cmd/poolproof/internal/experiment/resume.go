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

// resume reads the plan of a stopped run and builds its binary again: only
// launches of the same binary, in the same environment, may be judged
// together.
func resume(ctx context.Context, t *target, o Options) (study.Plan, error) {
	bad := func(format string, args ...any) error {
		return exitcode.Errorf(exitcode.Usage, "-resume %s: "+format, append([]any{o.Out}, args...)...)
	}
	p, err := study.ReadPlan(filepath.Join(o.Out, planFile))
	if err != nil {
		return p, bad("%w", err)
	}
	if len(p.Binaries) == 0 {
		return p, bad("its plan names no binary; start anew without -resume")
	}
	if why := otherSetting(p, t); why != "" {
		return p, bad("%s; restore that, or start anew without -resume", why)
	}
	t.engine = p.Engine
	p.Budget = study.Duration(o.Budget)
	for i := range p.Comparisons {
		if c := &p.Comparisons[i]; c.Skipped != "" {
			c.Skipped = outOfReach(o.Budget) // of this sitting; there may be room now
		}
	}
	o.Progress.Step("building " + t.pkg.Path + " with " + t.chain.Version)
	if err := os.MkdirAll(t.bin, 0o777); err != nil {
		return p, bad("%w", err)
	}
	b, err := t.build(ctx, 0)
	if err != nil {
		return p, err
	}
	if b.SHA256 != p.Binaries[0].SHA256 {
		return p, changed(o.Out, t.pkg.Path)
	}
	return p, nil
}

// changed is the error for a package whose binary is not the plan's any more.
func changed(out, pkg string) error {
	return exitcode.Errorf(exitcode.Usage, "-resume %s: %s builds to another binary now: its source, its folder or the build flags changed; start anew without -resume", out, pkg)
}

// otherSetting says what differs from the setting that the plan was made in,
// "" if nothing does. The binary is compared elsewhere.
func otherSetting(p study.Plan, t *target) string {
	chain := fmt.Sprintf("%s %s/%s", t.chain.Version, t.chain.OS, t.chain.Arch)
	switch env := environment(); {
	case p.Package != t.pkg.Path:
		return fmt.Sprintf("the run is of package %s, not %s", p.Package, t.pkg.Path)
	case p.Toolchain != chain:
		return fmt.Sprintf("the run was with %s, the go command there is %s", p.Toolchain, chain)
	case !slices.Equal(p.Env, env):
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
