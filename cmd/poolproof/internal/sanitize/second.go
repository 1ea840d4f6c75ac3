package sanitize

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/keep"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/toolchain"
)

// The second pass: forced reuse. In the first one no object comes back, so that what
// its last user has left in it is never seen. Here each Get returns the object that
// was put last. A test that passes with fresh objects and fails with used ones depends on
// what an earlier user has left: an error, if it does so again, and passes again with
// fresh objects in the very same binary.

// envReuse tells such a binary that no object comes back after all.
const envReuse = "POOLPROOF_TEST_REUSE"

// SecondPass says how the second pass went.
type SecondPass struct {
	Packages int           // that use pools of their own, and were tested again
	Took     time.Duration // with the build
	Why      string        // why there was none; "" if there was one, or nothing to test
}

// second runs the second pass over the packages that use pools.
func (c *classifier) second(ctx context.Context, first *observation) error {
	res := c.book.result
	if why := c.plan.noReuse(); why != "" {
		res.Second.Why = why
		return nil
	}
	pkgs := c.usePools(first)
	if len(pkgs) == 0 {
		return nil
	}
	line, err := c.plan.reusing(ctx)
	if err != nil {
		return err
	}
	start := time.Now()
	out, said, err := c.passOf(ctx, line, pkgs, nil, false)
	res.Second.Packages += len(pkgs)
	res.Second.Took += time.Since(start)
	if err != nil {
		return err
	}
	for _, p := range out.packages {
		if p.State.Unbuilt() {
			res.note("%s was left out of the second pass: it does not build with the pools of that pass", p.Path)
			continue
		}
		if err := c.leftOvers(ctx, line, p, first.of(p.Path).Tests, said); err != nil {
			return err
		}
	}
	return nil
}

// usePools returns the packages in whose tests objects came back to pools that are none
// of the standard library's.
func (c *classifier) usePools(out *observation) []string {
	found := c.plan.packages.pools(out.log)
	maps.DeleteFunc(found, func(_ string, pools []record.Pool) bool {
		return !slices.ContainsFunc(pools, func(p record.Pool) bool { return p.Puts > 0 && c.book.result.Printer.Sites.OfProgram(p) })
	})
	return slices.Sorted(maps.Keys(found))
}

// passOf runs packages, or only some tests of one, with forced reuse; or with fresh objects
// in the same binaries.
func (c *classifier) passOf(ctx context.Context, line gotest.Line, pkgs, names []string, fresh bool) (*observation, said, error) {
	line = only(line, pkgs[0], names).Without("bench", "coverpkg", "cover", "covermode").With("json", "true")
	line.Packages = pkgs
	env := envReuse + "=last"
	if fresh {
		env = envReuse + "=fresh"
	}
	words := said{}
	out, err := c.tests.run(ctx, attempt{line: line, env: []string{env}, stdout: words.listen()})
	return out, words, err
}

// noReuse says why there is no second pass.
func (p *plan) noReuse() string {
	if p.options.Reuse == "off" {
		return "-reuse=off"
	}
	if p.options.Delay != nil {
		return "with -delay objects come back in the first pass"
	}
	for _, name := range []string{"c", "n", "list", "fuzz"} {
		if v := p.asked.get(name); v != "" && v != "false" {
			return "-" + name
		}
	}
	return ""
}

// reusing is the line that builds for the second pass.
func (p *plan) reusing(ctx context.Context) (gotest.Line, error) {
	o, err := toolchain.PrepareReuse(ctx, p.config())
	if err != nil {
		return gotest.Line{}, err
	}
	if path, clash := overlay.Clash(p.user, o.Replace); clash {
		return gotest.Line{}, fault.Errorf(fault.Input, "%w both replace %s: remove it from yours", ErrOverlaid, path)
	}
	name, err := keep.Overlay(filepath.Join(p.cache, "overlays"), o.Replace, p.user)
	return p.plain.With("overlay", name), err
}
