package sanitize

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/fields"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/finding"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/keep"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/toolchain"
)

// part is the packages that one go test tests, with one toolchain: those of one module.
type part struct {
	options Options
	dir     string
	asked   asked
	scratch string
	cache   string
	known   []finding.Rule // of the baseline
	hooks   hooks
}

// plan is a part, ready to be tested: how it is built and run, watched and plainly, and what
// the binaries are told. Nothing has run yet, and the plan does not change when it does.
type plan struct {
	part
	toolchain *overlay.Toolchain
	packages  *packages
	overlay   toolchain.Overlay
	user      map[string]string // the user's own overlay
	userFile  string            // that overlay; "": none
	left      []string          // import paths of packages that are not watched, as they use no pool

	instrumented, plain gotest.Line
	build               *fields.Build
	rulesFile           string
	given               map[string][]finding.Rule // to the binaries of a folder
	directives          []*finding.Directive
	problems            []string // with directives
	notes               []string
}

// hooks makes the overlay of a plan's toolchain. The error has the kind [fault.Tools].
type hooks func(ctx context.Context, p *plan) (toolchain.Overlay, error)

// realHooks are those that watch.
func realHooks(ctx context.Context, p *plan) (toolchain.Overlay, error) {
	return toolchain.Prepare(ctx, p.config())
}

func (p *plan) config() toolchain.Config {
	return toolchain.Config{
		GOROOT: p.toolchain.Root, Version: p.toolchain.Version, GOOS: p.toolchain.OS, GOARCH: p.toolchain.Arch,
		Mode: p.options.Mode, CacheDir: filepath.Join(p.cache, "toolchains"),
	}
}

// prepare is the first of the three steps: it makes the plan of a part. The plan is
// returned with an error too, for its notes.
func prepare(ctx context.Context, of part) (*plan, error) {
	p := &plan{part: of}
	if err := p.find(ctx); err != nil {
		return p, err
	}
	p.directives, p.problems = finding.Directives(p.packages.own)
	if p.leave(); p.nothing() {
		return p, nil
	}
	if err := p.compose(ctx); err != nil {
		return p, err
	}
	return p, p.rules()
}

// say tells the user, on standard error, what takes time.
func (p *plan) say(format string, args ...any) {
	fmt.Fprintf(orNowhere(p.options.Stderr), "poolproof: "+format+"\n", args...)
}

func (p *plan) note(format string, args ...any) {
	p.notes = append(p.notes, fmt.Sprintf(format, args...))
}

// find asks the toolchain, and the go command what is to be tested.
func (p *plan) find(ctx context.Context) error {
	links := filepath.Join(p.cache, "links")
	if err := os.MkdirAll(links, 0o777); err != nil {
		return err
	}
	var err error
	if p.toolchain, err = overlay.FindWhole(ctx, p.dir, links, p.options.Env...); err != nil {
		return err
	}
	for _, n := range p.toolchain.Notes {
		p.note("%s", n)
	}
	if p.asked.env, err = gotest.Parse(p.toolchain.Flags(), nil); err != nil {
		return fault.Errorf(fault.Tools, "GOFLAGS: %w", err)
	}
	if err := p.asked.refuse(); err != nil {
		return err
	}
	if err := p.readOverlay(); err != nil {
		return err
	}
	p.packages, err = list(ctx, p.toolchain, p.dir, p.asked, p.userFile)
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		if err := p.nowhere(); err != nil {
			return err
		}
		var failed *overlay.CommandError
		if errors.As(err, &failed) {
			return fault.Errorf(fault.Input, "%w", err)
		}
		return fault.Errorf(fault.Tools, "go list: %w", err)
	}
	return p.nowhere()
}

// readOverlay reads the user's overlay, of the command line or of GOFLAGS, and writes a file with
// the same.
func (p *plan) readOverlay() (err error) {
	p.user = p.toolchain.User()
	if name, ok := p.asked.line.Get("overlay"); ok && name != "" {
		if p.user, err = overlay.Read(p.dir, name); err != nil {
			return fault.Option("overlay", "", "%w", err)
		}
	}
	if len(p.user) > 0 {
		p.userFile, err = keep.Overlay(filepath.Join(p.cache, "overlays"), p.user)
	}
	return err
}

// compose makes the two command lines: watched, and plain.
func (p *plan) compose(ctx context.Context) error {
	var err error
	if p.overlay, err = p.hooks(ctx, p); err != nil {
		return err
	}
	for _, n := range p.overlay.Notes {
		p.note("%s", n)
	}
	if path, clash := overlay.Clash(p.user, p.overlay.Replace); clash {
		return fault.Errorf(fault.Input, "your overlay and that of poolproof both replace %s (by %s and %s): remove it from yours",
			path, p.user[path], p.overlay.Replace[path])
	}
	name, err := keep.Overlay(filepath.Join(p.cache, "overlays"), p.overlay.Replace, p.user)
	if err != nil {
		return err
	}
	launcher, err := execFlag(p.userExec())
	if err != nil {
		return fault.Errorf(fault.Input, "%w", err)
	}
	p.instrumented = p.asked.instrumented(p.overlay.GCFlags, name, launcher)
	if p.asked.get("coverpkg") != "" {
		value, changed, err := p.coverpkg(ctx)
		if err != nil {
			return err
		}
		if changed {
			p.instrumented = p.instrumented.With("coverpkg", value)
		}
	}
	p.plain = p.withOwn(p.asked.plain())
	return nil
}

// withOwn is a line with the user's own overlay: GOFLAGS have lost theirs.
func (p *plan) withOwn(line gotest.Line) gotest.Line {
	if p.userFile == "" {
		return line
	}
	return line.With("overlay", p.userFile)
}

// userExec is the program that the user, or the go command by itself, would
// start test binaries with.
func (p *plan) userExec() []string {
	if value := p.asked.get("exec"); value != "" {
		if words, err := overlay.SplitFlags(value); err == nil {
			return words
		}
		return strings.Fields(value)
	}
	t := p.toolchain
	if t.OS == runtime.GOOS && t.Arch == runtime.GOARCH {
		return nil
	}
	if path, err := exec.LookPath("go_" + t.OS + "_" + t.Arch + "_exec"); err == nil {
		return []string{path}
	}
	return nil
}

// ErrOverlaid is the error of a user's overlay that the second pass cannot be
// built with: a run without that pass can.
var ErrOverlaid = errors.New("your overlay and that of the second pass")
