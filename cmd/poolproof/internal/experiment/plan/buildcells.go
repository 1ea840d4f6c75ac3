package plan

import (
	"context"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// buildCells builds the binaries of the cells that say something to the go command,
// and puts them in the place of those that were built without. What the plan has found
// out about benchmarks with the latter is taken to hold for all cells. A comparison
// whose binaries cannot be built is skipped, and says why.
func buildCells(ctx context.Context, bs *build.Set, p *study.Plan, o ask.Options) error {
	wanted := map[string]bool{}
	for i := range p.Comparisons {
		c := &p.Comparisons[i]
		if !Measurable(*c) || c.Skipped != "" {
			continue
		}
		for _, side := range []*study.Bench{&c.BaselineBench, &c.CandidateBench} {
			id, err := bs.With(ctx, side.Binary, c.Cell)
			if err != nil {
				return err
			}
			if id != side.Binary {
				side.Binary, wanted[id] = id, true
			}
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	made, err := bs.Compile(ctx, o.Progress, func(id string) bool { return wanted[id] })
	if err != nil {
		return err
	}
	p.Binaries = append(p.Binaries, made...)
	for i := range p.Comparisons {
		c := &p.Comparisons[i]
		for _, side := range []*study.Bench{&c.BaselineBench, &c.CandidateBench} {
			if why := bs.Absent[side.Binary]; why != "" {
				c.Skipped, *side = why, study.Bench{}
			}
		}
	}
	p.EngineNote = bs.Notes()
	return nil
}
