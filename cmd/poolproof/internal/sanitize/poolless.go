package sanitize

import (
	"bytes"
	"context"
	"os"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/fields"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
)

// Packages that use no pool, nor import one that does, have nothing to watch: they are tested
// as go test does it, with neither its cost nor a second build of what they import.

// leave finds the packages that need not be watched, and takes them from the line that is.
func (p *plan) leave() {
	o := p.options
	if o.Strict || o.Leaks || o.Follow || o.Delay != nil || p.packages.broken || slices.ContainsFunc([]string{"c", "n", "exec"}, p.asked.has) {
		return
	}
	pools := pooling{p: p, known: map[string]bool{}, of: map[string][]fields.Package{}}
	for _, one := range p.packages.scan {
		pools.of[one.Path] = append(pools.of[one.Path], one)
	}
	var left, watched []string
	for path := range p.packages.paths {
		if pools.reach(path) || pools.reach(path+"_test") {
			watched = append(watched, path)
		} else {
			left = append(left, path)
		}
	}
	switch {
	case len(left) == 0:
		return
	case len(watched) == 0:
		p.left = left
		return
	case p.asked.get("coverprofile") != "" || p.packages.paths[ofFiles]:
		return // one go test must run both
	}
	slices.Sort(watched)
	slices.Sort(left)
	p.left, p.asked.line.Packages = left, watched
}

// nothing reports whether no package is left that is to be watched.
func (p *plan) nothing() bool { return len(p.left) > 0 && len(p.left) == len(p.packages.paths) }

// pooling knows which packages reach a pool through what they import.
type pooling struct {
	p     *plan
	of    map[string][]fields.Package
	known map[string]bool
}

func (s pooling) reach(path string) bool {
	if is, ok := s.known[path]; ok {
		return is
	}
	s.known[path] = false // packages do not import each other in a circle, but tests may
	for _, one := range s.of[path] {
		if one.Standard {
			continue
		}
		if slices.ContainsFunc(slices.Concat(one.Files, one.Tests), s.mentions) || slices.ContainsFunc(one.Imports, s.reach) {
			s.known[path] = true
			return true
		}
	}
	return false
}

// mentions reports whether a file may use a pool: too often rather than not often enough.
func (s pooling) mentions(file string) bool {
	text, err := os.ReadFile(s.p.actual(file))
	if err != nil {
		return true
	}
	return bytes.Contains(text, []byte("Pool")) && bytes.Contains(text, []byte("sync")) || bytes.Contains(text, []byte("poolproof/mark"))
}

// simply is the line that tests what is not watched.
func (p *plan) simply() gotest.Line {
	line := p.asked.line
	if !p.nothing() {
		line.Packages = p.left
	}
	return p.withOwn(line)
}

// simply tests what is not watched.
func (c *classifier) simply(ctx context.Context) error {
	p := c.plan
	line := p.simply()
	seen, err := c.tests.run(ctx, attempt{line: line, stdout: p.options.Stdout, stderr: p.options.Stderr})
	if err != nil {
		return err
	}
	c.book.partly = c.book.partly || p.partial(seen)
	c.book.result.Packages = append(c.book.result.Packages, seen.packages...)
	c.book.result.Poolless += len(p.left)
	bad := false
	for _, one := range seen.packages {
		switch {
		case one.State.Unbuilt():
			c.book.fail(p, one.Path, "", Build)
		case one.State != gotest.Failed:
			continue
		case one.TimedOut:
			c.book.fail(p, one.Path, "", TimedOut)
		case len(one.Leaves()) == 0:
			c.book.fail(p, one.Path, "", Genuine)
		default:
			for _, name := range one.Leaves() {
				c.book.fail(p, one.Path, name, Genuine)
			}
		}
		bad = true
	}
	if seen.code != 0 && !bad {
		return fault.Errorf(fault.Tools, "go test failed (exit code %d), but no package failed; its output is above", seen.code)
	}
	return nil
}
