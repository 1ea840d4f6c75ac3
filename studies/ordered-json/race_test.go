//go:build race

package orderedjson

// raceDetector: sync.Pool drops a quarter of what is put, and the counters of
// allocations are not those of a normal build.
const raceDetector = true
