package experiment

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Layout floors are measured once and kept in the user's cache folder: what
// shifting a binary does to a benchmark depends on the binary, the benchmark,
// the environment and the processor, and on nothing else.

func floorFile() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "poolproof", "layout.json")
}

func floorKey(p study.Plan, c study.Comparison) string {
	key := p.Binaries[0].SHA256 + " " + c.Old.Leaf + " " + p.Machine.CPU
	for _, env := range c.Cell {
		key += " " + env
	}
	return key
}

func readFloors() map[string]float64 {
	all := map[string]float64{}
	if b, err := os.ReadFile(floorFile()); err == nil {
		json.Unmarshal(b, &all) // a broken cache is an empty one
	}
	return all
}

// knownFloors returns the kept floors by comparison.
func knownFloors(p study.Plan) map[string]float64 {
	all, known := readFloors(), map[string]float64{}
	for _, c := range p.Comparisons {
		if f, ok := all[floorKey(p, c)]; ok {
			known[c.ID] = f
		}
	}
	return known
}

// keepFloors adds the floors that this run measured. The cache is a
// convenience: that it cannot be written is no error.
func keepFloors(p study.Plan, results []study.Result) {
	all := readFloors()
	before := len(all)
	for i, r := range results {
		if r.Floor != nil {
			all[floorKey(p, p.Comparisons[i])] = *r.Floor
		}
	}
	if len(all) == before {
		return
	}
	b, err := json.MarshalIndent(all, "", "\t")
	if err != nil || floorFile() == "" {
		return
	}
	if os.MkdirAll(filepath.Dir(floorFile()), 0o777) == nil {
		os.WriteFile(floorFile(), b, 0o666)
	}
}
