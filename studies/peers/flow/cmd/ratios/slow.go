package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	flowpeers "github.com/poolproof/poolproof/studies/peers/flow"
)

// slows are the figures of ways with slow functions, by load, way, unit and GOMAXPROCS.
type slows map[[4]string][]float64

// add takes a line of a benchmark of a slow way. It reports whether it was one.
func (s slows) add(fields []string) bool {
	_, rest, ok := strings.Cut(fields[0], "/load=")
	if !ok {
		return false
	}
	load, way, _ := strings.Cut(rest, "/slow=")
	way, procs, _ := strings.Cut(way, "-")
	if procs == "" {
		procs = "1"
	}
	for i := 2; i+1 < len(fields); i += 2 {
		if v, err := strconv.ParseFloat(fields[i], 64); err == nil {
			key := [4]string{load, way, fields[i+1], procs}
			s[key] = append(s[key], v)
		}
	}
	return true
}

// print prints a table for each number of processors, with a row for each load and way.
func (s slows) print() {
	var all []string
	for key := range s {
		if !slices.Contains(all, key[3]) {
			all = append(all, key[3])
		}
	}
	slices.Sort(all)
	for _, procs := range all {
		fmt.Printf("\n| function, on %s | way | cpu-ns/value | to the least | wall-ns/value | to the least | handed over after: p50, us | p99, us |\n", processors(procs))
		fmt.Println("|---|---|---|---|---|---|---|---|")
		for _, l := range flowpeers.Loads {
			for _, w := range flowpeers.Slows {
				row := []string{l.Name, w.Name}
				for _, unit := range []string{"cpu-ns/value", "wall-ns/value"} {
					v := s[[4]string{l.Name, w.Name, unit, procs}]
					row = append(row, spread(v), s.ratio(l.Name, w.Name, unit, procs))
				}
				for _, unit := range []string{"p50-us", "p99-us"} {
					row = append(row, spread(s[[4]string{l.Name, w.Name, unit, procs}]))
				}
				fmt.Println("| " + strings.Join(row, " | ") + " |")
			}
		}
	}
}

func processors(n string) string {
	if n == "1" {
		return "one processor"
	}
	return n + " processors"
}

// spread is the median with the least and the most.
func spread(v []float64) string {
	if len(v) == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f [%.0f, %.0f]", middle(v), slices.Min(v), slices.Max(v))
}

// ratio is how many times that of the way with the least median a way's median is.
func (s slows) ratio(load, way, unit, procs string) string {
	v := s[[4]string{load, way, unit, procs}]
	if len(v) == 0 {
		return "-"
	}
	least := middle(v)
	for _, w := range flowpeers.Slows {
		if o := s[[4]string{load, w.Name, unit, procs}]; len(o) > 0 {
			least = min(least, middle(o))
		}
	}
	return fmt.Sprintf("%.2f", middle(v)/least)
}
