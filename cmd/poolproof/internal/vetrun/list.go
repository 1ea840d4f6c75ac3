package vetrun

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
)

// listed is a package as go list describes it.
type listed struct {
	ImportPath, Dir string
	Match           []string
	Module          *struct{ Main bool }
	Error           *loadError
	DepsErrors      []*loadError

	GoFiles, CgoFiles, TestGoFiles, XTestGoFiles []string
}

type loadError struct {
	ImportStack []string
	Pos, Err    string
}

func (e *loadError) String() string {
	if e.Pos == "" {
		return e.Err
	}
	return e.Pos + ": " + e.Err
}

// list finds the packages of a group. One that cannot be loaded makes go vet
// give up on all of them, so those are told apart first: paths are the sound
// ones, broken says what is wrong with the others.
func list(ctx context.Context, g packages, tags string) (sound []listed, broken, notes []string, err error) {
	args := []string{"list", "-e", "-json=ImportPath,Dir,Match,Module,Error,DepsErrors,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles"}
	if tags != "" {
		args = append(args, "-tags="+tags)
	}
	out, err := goCommand(ctx, g.Dir, g.env, append(append(args, "--"), g.Patterns...)...)
	if err != nil {
		if fault.KindOf(err) != fault.Other || ctx.Err() != nil {
			return nil, nil, nil, err
		}
		return nil, nil, nil, fault.Errorf(fault.Input, "the go command cannot list %s: %s", strings.Join(g.Patterns, " "), strings.TrimSpace(out.stderr))
	}
	for line := range strings.Lines(out.stderr) {
		if strings.Contains(line, "matched no packages") {
			notes = append(notes, strings.TrimPrefix(strings.TrimSpace(line), "go: "))
		}
	}
	for dec := json.NewDecoder(strings.NewReader(out.stdout)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, nil, nil, fault.Errorf(fault.Tools, "go list -json: %w", err)
		}
		what, err := p.wrong()
		if err != nil {
			return nil, nil, nil, err
		}
		if len(what) == 0 {
			sound = append(sound, p)
		}
		for _, w := range what {
			if !slices.Contains(broken, w) { // several packages may share an import
				broken = append(broken, w)
			}
		}
	}
	return sound, broken, notes, nil
}

// wrong says why a package cannot be loaded. An error says that there is no
// such package, which is a mistake in the command line.
func (p *listed) wrong() (what []string, err error) {
	if p.Error != nil {
		if len(p.GoFiles)+len(p.CgoFiles)+len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 && p.Error.Pos == "" {
			return nil, fault.Errorf(fault.Input, "%s: %s", strings.Join(p.Match, " "), p.Error.Err)
		}
		what = append(what, p.Error.String())
	}
	for _, e := range p.DepsErrors {
		what = append(what, e.String())
	}
	return what, nil
}

// nothing says that no package was there.
func nothing(patterns []string) string {
	if len(patterns) == 0 {
		return "there is no package in this folder"
	}
	return fmt.Sprintf("%s matched no packages", strings.Join(patterns, " "))
}
