package program

import (
	"strconv"
	"strings"
	"time"
)

// Metrics that are measured whatever the load command prints. Times are in nanoseconds, sizes in
// bytes.
const (
	wall     = "wall"     // of a program that runs to its end
	cpu      = "cpu"      // of the program while it is under load; of a request, where their number is known
	rss      = "peak-rss" // resident memory
	heap     = "peak-heap"
	cycles   = "gcs"          // collections
	pauses   = "gc-pauses"    // how long they have stopped the program, in all
	longest  = "gc-pause-max" // and at once
	requests = "requests"
)

// collector are the metrics of the collector: they say why time and memory are as they are.
var collector = []string{heap, cycles, pauses, longest}

// printed takes the metrics out of what a command printed. What the user names comes before what is
// known; missing are the names of those of the user that are not there.
func printed(text string, own []Metric) (values map[string]float64, missing []string) {
	values = map[string]float64{}
	for _, m := range own {
		v, ok := m.in(text)
		if !ok {
			missing = append(missing, m.Name)
			continue
		}
		values[m.Name] = v
	}
	for _, m := range known {
		if _, ok := values[m.Name]; ok {
			continue
		}
		if v, ok := m.in(text); ok {
			values[m.Name] = v
		}
	}
	return values, missing
}

func (m Metric) in(text string) (float64, bool) {
	found := m.RE.FindStringSubmatch(text)
	if found == nil {
		return 0, false
	}
	return number(found[1])
}

// number reads a number, which may end in a unit of time: then it is in nanoseconds.
func number(s string) (float64, bool) {
	s = strings.ReplaceAll(strings.TrimSpace(s), ",", "")
	if v, err := strconv.ParseFloat(s, 64); err == nil {
		return v, true
	}
	s = strings.ReplaceAll(strings.TrimSuffix(strings.TrimSuffix(s, "ecs"), "ec"), " ", "") // "0.1 secs"
	d, err := time.ParseDuration(s)
	return float64(d), err == nil
}
