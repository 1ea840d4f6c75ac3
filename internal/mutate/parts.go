package mutate

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// parts are command lines for a test binary that run its tests in parts, those
// that fail sooner first. Each test is in one of them.
type parts [][]string

// quick is how long the tests of the first part take together, at most.
const quick = 300 * time.Millisecond

var passed = regexp.MustCompile(`(?m)^--- PASS: (\S+) \((\S+)\)$`)

// measure runs all tests on the code itself, which they must find right, and
// divides them by how long they take.
func (b binary) measure(ctx context.Context) (parts, error) {
	outcome, out := b.run(ctx, "", limit, "-test.v")
	if outcome != survived {
		return nil, fmt.Errorf("the tests of %s fail on the code itself: %s\n%s", b.folder, outcome, out)
	}
	type test struct {
		name string
		took time.Duration
	}
	var tests []test
	for _, m := range passed.FindAllStringSubmatch(out, -1) {
		took, err := time.ParseDuration(m[2])
		if err != nil {
			return nil, err
		}
		tests = append(tests, test{m[1], took})
	}
	if len(tests) == 0 {
		return nil, fmt.Errorf("the tests of %s: none ran\n%s", b.folder, out)
	}
	slices.SortStableFunc(tests, func(x, y test) int { return cmp.Compare(x.took, y.took) })
	var sum time.Duration
	for i, t := range tests {
		if sum += t.took; sum <= quick {
			continue
		}
		var slow []string
		for _, t := range tests[i:] {
			slow = append(slow, t.name)
		}
		these := "=^(" + strings.Join(slow, "|") + ")$"
		return parts{{"-test.skip" + these}, {"-test.run" + these}}, nil
	}
	return parts{nil}, nil
}

// runParts runs the tests on a mutant until one fails.
func (b binary) runParts(ctx context.Context, mutant string, ps parts, limit time.Duration) (outcome outcome, out string) {
	for _, args := range ps {
		if outcome, out = b.run(ctx, mutant, limit, args...); outcome != survived {
			break
		}
	}
	return outcome, out
}

// limit is how long the tests of one mutant may take.
const limit = 4 * time.Minute
