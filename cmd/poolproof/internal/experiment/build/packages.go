package build

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/scratch"
)

// benchmarkFunc matches the head of a benchmark.
var benchmarkFunc = regexp.MustCompile(`(?m)^func Benchmark\w*\(`)

// Packages returns the folders of the packages that match a pattern, as ./...,
// and have benchmarks: relative to the working directory where they lie in it,
// in the order of the go command.
func Packages(ctx context.Context, pattern, tags string) ([]string, error) {
	links, remove, err := scratch.Make()
	if err != nil {
		return nil, err
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
		return nil, err
	}
	const format = "{{$d := .Dir}}{{$d}}{{range .TestGoFiles}}\t{{.}}{{end}}{{range .XTestGoFiles}}\t{{.}}{{end}}"
	args := []string{"list", "-f", format}
	if tags != "" {
		args = append(args, "-tags="+tags)
	}
	out, err := chain.Go(ctx, dir, append(args, rest)...)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := withoutModule(chain, pattern); err != nil {
			return nil, err
		}
		line, _, _ := strings.Cut(err.Error(), "\n")
		return nil, fault.Errorf(fault.Input, "%s: %s", pattern, line)
	}
	var dirs []string
	for line := range strings.Lines(string(out)) {
		parts := strings.Split(strings.TrimSpace(line), "\t")
		for _, file := range parts[1:] {
			text, err := os.ReadFile(filepath.Join(parts[0], file))
			if err == nil && benchmarkFunc.Match(text) {
				dirs = append(dirs, shown(parts[0]))
				break
			}
		}
	}
	if len(dirs) == 0 {
		return nil, fault.Errorf(fault.Input, "%s: no matching package has a benchmark", pattern)
	}
	return dirs, nil
}

// shown is a folder as the user would name it.
func shown(dir string) string {
	rel := fromHere(dir)
	if filepath.IsAbs(rel) || rel == "." {
		return rel
	}
	return "." + string(filepath.Separator) + rel
}
