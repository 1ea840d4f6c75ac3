package main

import (
	"fmt"
	"strconv"
	"strings"

	flowpeers "github.com/poolproof/poolproof/studies/peers/flow"
)

// slows are the figures of ways with slow functions, by load, way and unit.
type slows map[[3]string][]float64

// add takes a line of a benchmark of a slow way. It reports whether it was one.
func (s slows) add(fields []string) bool {
	_, rest, ok := strings.Cut(fields[0], "/load=")
	if !ok {
		return false
	}
	load, way, _ := strings.Cut(rest, "/slow=")
	way, _, _ = strings.Cut(way, "-") // the number of processors
	for i := 2; i+1 < len(fields); i += 2 {
		if v, err := strconv.ParseFloat(fields[i], 64); err == nil {
			key := [3]string{load, way, fields[i+1]}
			s[key] = append(s[key], v)
		}
	}
	return true
}

// print prints a row for each load and way that was measured.
func (s slows) print() {
	if len(s) == 0 {
		return
	}
	fmt.Println("\n| function | way | cpu-ns/value | wall-ns/value | handed over after: p50, us | p99, us |")
	fmt.Println("|---|---|---|---|---|---|")
	for _, l := range flowpeers.Loads {
		for _, w := range flowpeers.Slows {
			row := []string{l.Name, w.Name}
			for _, unit := range []string{"cpu-ns/value", "wall-ns/value", "p50-us", "p99-us"} {
				v := s[[3]string{l.Name, w.Name, unit}]
				if len(v) == 0 {
					row = append(row, "-")
					continue
				}
				row = append(row, strconv.FormatFloat(middle(v), 'f', 0, 64))
			}
			fmt.Println("| " + strings.Join(row, " | ") + " |")
		}
	}
}
