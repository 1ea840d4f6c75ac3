package unpool

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Program is the code that was read, with its pools.
type Program struct {
	*program
	Pools []*Pool // in the order of their declarations
}

// Find reads the packages and lists their pools: those that the packages' own code
// gets from. They are of the type sync.Pool, or of bytebufferpool, package pool or package buffer. The error is
// of the kind fault.Code where a package does not compile, and fault.Input where none matches.
func Find(ctx context.Context, s Source) (*Program, error) {
	p, err := load(ctx, s)
	if err != nil {
		return nil, err
	}
	n := read(p)
	n.joinKept()
	n.lends(p.pkgs)
	return &Program{p, (&lister{p, n, n.members()}).pools()}, nil
}

// At returns the pools that are declared at FILE:LINE, or else those that a Get or a Put
// there is of. FILE may be the end of a path, and ":COLUMN" may follow.
func (p *Program) At(place string) []*Pool {
	file, rest, _ := strings.Cut(filepath.ToSlash(place), ":")
	here, _ := filepath.Abs(file)
	line, column, _ := strings.Cut(rest, ":")
	is := func(name string, l, c int) bool {
		name = filepath.ToSlash(name)
		return fmt.Sprint(l) == line && (column == "" || fmt.Sprint(c) == column) &&
			(name == filepath.ToSlash(here) || strings.HasSuffix(name, "/"+strings.TrimPrefix(file, "./")))
	}
	var declared, used []*Pool
	for _, pool := range p.Pools {
		if is(pool.Pos.Filename, pool.Pos.Line, pool.Pos.Column) {
			declared = append(declared, pool)
		}
		if slices.ContainsFunc(slices.Concat(pool.Gets, pool.Puts), func(at Place) bool { return is(at.File, at.Line, at.Column) }) {
			used = append(used, pool)
		}
	}
	if len(declared) > 0 {
		return declared
	}
	return used
}
