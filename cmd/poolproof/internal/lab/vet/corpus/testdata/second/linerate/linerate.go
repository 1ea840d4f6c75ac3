// Package linerate counts the lines of a log by level.
package linerate

import (
	"bufio"
	"io"
	"strings"
	"sync"
)

var counters = sync.Pool{New: func() any { return make(map[string]int) }}

// Stats is what a log has.
type Stats struct {
	Lines  int
	Levels map[string]int
}

// Count counts the lines of r.
func Count(r io.Reader) (Stats, error) {
	levels := counters.Get().(map[string]int)
	clear(levels)
	st := Stats{Levels: levels}
	sc := bufio.NewScanner(r)
	for sc.Scan() {
		level, _, _ := strings.Cut(sc.Text(), " ")
		levels[level]++
		st.Lines++
	}
	counters.Put(levels)
	return st, sc.Err() // want "PV001|PV003|PV004"
}

// Errors returns how many lines are errors.
func Errors(r io.Reader) int {
	levels := counters.Get().(map[string]int) // want "PV006"
	clear(levels)
	sc := bufio.NewScanner(r)
	for sc.Scan() {
		level, _, _ := strings.Cut(sc.Text(), " ")
		levels[level]++
	}
	return levels["ERROR"]
}
