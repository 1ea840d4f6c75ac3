package mutate

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"
)

// Kill runs the tests on each mutant of the code in root, which their files and
// packages are seen from, and expects the tests to fail, or not to end. With -v it
// says at the end how many were killed, and which only ran into the limit: an error
// that makes a loop endless does that, and so does a machine that is too slow.
func Kill(t *testing.T, root string, mutants []Mutant) {
	var mu sync.Mutex
	names := make(map[outcome][]string)
	groups := byTests(mutants)
	for _, tests := range slices.Sorted(maps.Keys(groups)) {
		own := groups[tests]
		g, err := newGroup(t.Context(), t.TempDir(), root, tests, own)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d of %d mutants are compiled together\n%s", tests, len(own)-len(g.alone), len(own), g.broken)
		for i, m := range own {
			t.Run(m.Name, func(t *testing.T) {
				t.Parallel()
				outcome, out := g.run(t.Context(), t.TempDir(), i, limit)
				mu.Lock()
				names[outcome] = append(names[outcome], m.Name)
				mu.Unlock()
				switch outcome {
				case killed, timedOut:
					t.Log(outcome)
				default:
					t.Errorf("%s\n%s", outcome, out)
				}
			})
		}
	}
	t.Cleanup(func() { // when all have ended
		t.Logf("%d mutants killed, %d timed out after %v: %q", len(names[killed]), len(names[timedOut]), limit, names[timedOut])
	})
}

// byTests sorts mutants by the package whose tests must notice them.
func byTests(mutants []Mutant) map[string][]Mutant {
	groups := make(map[string][]Mutant)
	for _, m := range mutants {
		groups[m.Tests] = append(groups[m.Tests], m)
	}
	return groups
}

// group is the mutants that the tests of one package must notice.
type group struct {
	root     string
	mutants  []Mutant
	tests    string
	together binary // all mutants but those of alone
	alone    map[int]bool
	broken   string // why none are together: what the compiler says of them
	parts    parts
	took     time.Duration // the tests on the code itself
}

// newGroup builds a binary in dir of all mutants that can be woven into one. The
// tests must find nothing wrong with it as long as it is none of them.
func newGroup(ctx context.Context, dir, root, tests string, mutants []Mutant) (g group, err error) {
	g = group{root: root, mutants: mutants, tests: tests, alone: make(map[int]bool)}
	texts, left, err := weave(root, mutants)
	if err != nil {
		return g, err
	}
	if g.together, err = build(ctx, dir, root, tests, texts); err != nil {
		// One of them does not compile. Built alone, it says so.
		left, g.broken = nil, err.Error()
		for i := range mutants {
			left = append(left, i)
		}
		if g.together, err = build(ctx, dir, root, tests, nil); err != nil {
			return g, err
		}
	}
	for _, i := range left {
		g.alone[i] = true
	}
	start := time.Now()
	g.parts, err = g.together.measure(ctx)
	g.took = time.Since(start)
	return g, err
}

// run runs the tests on a mutant; one that is not woven is built in dir.
func (g group) run(ctx context.Context, dir string, i int, limit time.Duration) (outcome, string) {
	b := g.together
	if g.alone[i] {
		texts, err := Texts(g.root, g.mutants[i].Edits)
		if err != nil {
			return noMutant, err.Error()
		}
		if b, err = build(ctx, dir, g.root, g.tests, texts); err != nil {
			return noMutant, err.Error()
		}
	}
	return b.runParts(ctx, strconv.Itoa(i), g.parts, limit)
}
