package experiment

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Layout floors are measured once and kept in the user's cache folder: what
// shifting a binary does to a benchmark depends on the binary, the benchmark,
// the environment and the processor, and on nothing else.

// floorFile is the cache; "" where the system names no cache folder.
func floorFile() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "poolproof", "layout.json")
}

// floorKey names what a floor depends on. A cell stands behind the
// environment: it has the last word on a variable that both set.
func floorKey(p study.Plan, c study.Comparison) string {
	sum := ""
	for _, b := range p.Binaries {
		if b.ID == c.Old.Binary && b.Layout == 0 {
			sum = b.SHA256
		}
	}
	parts := []string{sum, c.Old.Leaf, p.Machine.CPU, fmt.Sprint(p.Machine.Cores)}
	return strings.Join(append(append(parts, p.Env...), c.Cell...), " ")
}

func readFloors() map[string]float64 {
	all := map[string]float64{}
	if b, err := os.ReadFile(floorFile()); err == nil {
		if json.Unmarshal(b, &all) != nil || all == nil {
			return map[string]float64{} // a broken cache is an empty one
		}
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
	name := floorFile()
	if name == "" {
		return
	}
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
	// Replaced as a whole: another run may be reading it.
	_ = study.WriteFile(name, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "\t")
		return e.Encode(all)
	})
}
