package build

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/scratch"
)

// The heads of what is run.
var (
	benchmarkFunc = regexp.MustCompile(`(?m)^func (Benchmark\w*)\(`)
	testFunc      = regexp.MustCompile(`(?m)^func (Test\w*)\(`)
)

// Packages returns the folders of the packages that match a pattern, as ./...,
// and have benchmarks that match bench, or tests that match fromTest if that is
// not empty: relative to the working directory where they lie in it, in the order
// of the go command. functions is how many of these functions each has.
func Packages(ctx context.Context, pattern, tags, bench, fromTest string) (dirs []string, functions []int, err error) {
	head, what := benchmarkFunc, "benchmark"
	if fromTest != "" {
		head, what, bench = testFunc, "test", fromTest
	}
	links, remove, err := scratch.Make()
	if err != nil {
		return nil, nil, err
	}
	defer remove()
	// The pattern's own module: the folder before the dots, if that is one.
	dir, rest := ".", pattern
	if root, _, ok := strings.Cut(pattern, "..."); ok && IsFolder(root) {
		dir, rest = filepath.Clean(root), "./..."
		if _, err := os.Stat(dir); err != nil || !strings.HasSuffix(pattern, "/...") {
			dir, rest = ".", pattern
		}
	}
	chain, err := overlay.Find(ctx, dir, links)
	if err != nil {
		return nil, nil, err
	}
	const format = "{{$d := .Dir}}{{$d}}{{range .TestGoFiles}}\t{{.}}{{end}}{{range .XTestGoFiles}}\t{{.}}{{end}}"
	args := []string{"list", "-f", format}
	if tags != "" {
		args = append(args, "-tags="+tags)
	}
	out, err := chain.Go(ctx, dir, append(args, rest)...)
	if err != nil {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err := withoutModule(chain, pattern); err != nil {
			return nil, nil, err
		}
		line, _, _ := strings.Cut(err.Error(), "\n")
		return nil, nil, fault.Errorf(fault.Input, "%s: %s", pattern, line)
	}
	wanted := functionsOf(bench)
	for line := range strings.Lines(string(out)) {
		parts := strings.Split(strings.TrimSpace(line), "\t")
		n := 0
		for _, file := range parts[1:] {
			text, err := os.ReadFile(filepath.Join(parts[0], file))
			if err != nil {
				continue
			}
			for _, m := range head.FindAllSubmatch(text, -1) {
				if wanted(string(m[1])) {
					n++
				}
			}
		}
		if n > 0 {
			dirs, functions = append(dirs, Argument(parts[0])), append(functions, n)
		}
	}
	if len(dirs) == 0 && bench != "" {
		return nil, nil, fault.Errorf(fault.Input, "%s: no matching package has a %s that matches %s", pattern, what, bench)
	}
	if len(dirs) == 0 {
		return nil, nil, fault.Errorf(fault.Input, "%s: no matching package has a %s", pattern, what)
	}
	return dirs, functions, nil
}

// functionsOf reports which benchmark functions a pattern of -bench may select: the
// part before the first slash, of each alternative, is about them.
func functionsOf(bench string) func(name string) bool {
	var tops []*regexp.Regexp
	for _, alternative := range SplitOutside(bench, '|') {
		top, err := regexp.Compile(SplitOutside(alternative, '/')[0])
		if err != nil {
			return func(string) bool { return true } // testing will say what is wrong with it
		}
		tops = append(tops, top)
	}
	return func(name string) bool {
		return slices.ContainsFunc(tops, func(top *regexp.Regexp) bool { return top.MatchString(name) })
	}
}

// SplitOutside splits a regular expression at a character, but not where that is
// in a class or a group.
func SplitOutside(s string, at byte) (parts []string) {
	classes, groups, start := 0, 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == '[':
			classes++
		case c == ']':
			classes = max(0, classes-1)
		case c == '(' && classes == 0:
			groups++
		case c == ')' && classes == 0:
			groups--
		case c == at && classes == 0 && groups == 0:
			parts, start = append(parts, s[start:i]), i+1
		}
	}
	return append(parts, s[start:])
}

// Argument is a folder as the user would name it.
func Argument(dir string) string {
	rel := FromHere(dir)
	if filepath.IsAbs(rel) || rel == "." {
		return rel
	}
	return "." + string(filepath.Separator) + rel
}
