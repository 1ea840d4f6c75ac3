package plan

import (
	"context"
	"path"
	"time"

	"golang.org/x/tools/cover"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/oracle"
)

// reach tells which functions of the package under test a benchmark runs in each of
// its operations. Test files are not counted: code under study belongs outside of them.
type reach struct {
	*coverage
	funcs map[string]function
	share map[string]map[string]int // leaf -> function -> runs an operation, rounded down
	facts []oracle.Fact
	asked bool
}

func newReach(ctx context.Context, t *build.Target, timeout time.Duration, leaves []duet.Leaf) (*reach, error) {
	r := &reach{share: map[string]map[string]int{}}
	var err error
	if r.funcs, err = functionsOf(t.Package.Dir, t.Package.GoFiles); err != nil {
		return nil, fault.Errorf(fault.Code, "%w", err)
	}
	r.coverage, err = newCoverage(ctx, t, timeout, leaves, ".")
	return r, err
}

// missed returns which of the functions the benchmark does not run at least
// once an operation.
func (r *reach) missed(ctx context.Context, leaf string, functions []string) ([]string, error) {
	if len(functions) == 0 {
		return nil, nil
	}
	for _, f := range functions {
		if _, ok := r.funcs[f]; !ok {
			return nil, fault.Errorf(fault.Input, "reaches: %s has no function %s outside of its test files", r.t.Package.Path, f)
		}
	}
	share, ok := r.share[leaf]
	if !ok {
		var err error
		if share, err = r.perOperation(ctx, leaf); err != nil {
			return nil, err
		}
		r.share[leaf] = share
	}
	var missed []string
	for _, f := range functions {
		if share[f] < 1 {
			missed = append(missed, f)
		}
	}
	return missed, nil
}

// perOperation returns how often an operation of the benchmark enters each
// function: the difference of two runs, divided by that of their operations.
func (r *reach) perOperation(ctx context.Context, leaf string) (map[string]int, error) {
	first, second, ops, err := r.twoRuns(ctx, leaf)
	if err != nil {
		return nil, err
	}
	few, many := entered(r.funcs, first), entered(r.funcs, second)
	share := map[string]int{}
	for name := range r.funcs {
		share[name] = (many[name] - few[name]) / ops
	}
	return share, nil
}

// entered returns the count of each function's first block.
func entered(funcs map[string]function, profiles []*cover.Profile) map[string]int {
	counts := map[string]int{}
	for _, p := range profiles {
		file := path.Base(p.FileName)
		for name, f := range funcs {
			if f.file != file {
				continue
			}
			for _, b := range p.Blocks { // in their order in the file
				if f.holds(b.StartLine, b.StartCol) {
					counts[name] = b.Count
					break
				}
			}
		}
	}
	return counts
}

// maxFacts bounds the compiler's lines in a verdict.
const maxFacts = 6

// escapes returns what the compiler says of allocations inside the functions.
func (r *reach) escapes(ctx context.Context, functions []string) ([]string, error) {
	if !r.asked {
		r.asked = true
		var err error
		if r.facts, err = oracle.Escapes(ctx, r.t.Chain, r.t.Package.Dir, r.t.Tags); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, fault.Errorf(fault.Code, "%s: %w", r.t.Package.Path, err)
		}
	}
	var lines []string
	for _, fact := range r.facts {
		for _, name := range functions {
			if f, ok := r.funcs[name]; ok && fact.File == f.file && f.holds(fact.Line, fact.Col) && len(lines) < maxFacts {
				lines = append(lines, fact.String())
				break
			}
		}
	}
	return lines, nil
}
