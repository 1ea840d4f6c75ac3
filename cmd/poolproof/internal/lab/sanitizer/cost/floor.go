//go:build linux

package cost

import (
	"context"
	"os"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
)

// floor is a plain binary in which no pool hands anything out again: each Get
// calls New, each Put drops. Nothing watches. It is the cost of making all
// that a pool would have had, and no mode that lets nothing come back can cost
// less.
const floor suite.Mode = "floor"

// modes are those that are measured, in the order of turns.
var modes = []suite.Mode{suite.Plain, floor, second, suite.Race, suite.Fast, suite.Exact}

// compileFloor builds a test binary whose pools are of no use.
func compileFloor(ctx context.Context, dir, pkg, to string) error {
	scratch := filepath.Dir(to)
	t, err := overlay.FindWhole(ctx, dir, scratch, suite.Env...)
	if err != nil {
		return err
	}
	name := filepath.Join(t.Root, "src", "sync", "pool.go")
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	s, err := overlay.Parse(name, text)
	if err != nil {
		return err
	}
	put, get := s.Method("Pool", "Put"), s.Method("Pool", "Get")
	if put == nil || get == nil {
		return s.Missing("methods Put and Get of Pool")
	}
	s.Insert(put.Body.Lbrace+1, " if true { return };")
	s.Insert(get.Body.Lbrace+1, " if p.New != nil { return p.New() }; if true { return nil };")
	replaced, err := t.Write(scratch, map[string][]byte{name: s.Bytes()})
	if err != nil {
		return err
	}
	return built(t.Command(ctx, dir, "test", "-c", "-o", to, "-overlay="+replaced, pkg))
}
