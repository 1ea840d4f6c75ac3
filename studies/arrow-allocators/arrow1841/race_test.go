//go:build race

package arrow1841

// raceDetector: sync.Pool drops a quarter of what is put, and the counters of
// allocations are not those of a normal build.
const raceDetector = true
