package plan

import (
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// floorBenchmarks are those of the built-in ones that are made to be compared
// with themselves.
const floorBenchmarks = "^Benchmark(Loop|JSON|Long|Channel|Parallel)$"

// pattern selects the benchmarks that the question is about.
func pattern(o ask.Options, file *study.File) string {
	switch {
	case o.Bench != "":
		return o.Bench
	case o.FromTest != "":
		return "^" + build.FromTest
	case file != nil:
		return topLevel(file)
	case o.Kind == study.KindAA && o.Path == "":
		return floorBenchmarks
	default:
		return "."
	}
}

// topLevel is the pattern of the functions that a study's benchmarks are in.
func topLevel(file *study.File) string {
	var names []string
	seen := map[string]bool{}
	for _, b := range file.Benchmarks {
		name, _, _ := strings.Cut(b.Bench, "/")
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return "^(" + strings.Join(names, "|") + ")$"
}
