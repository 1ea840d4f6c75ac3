//go:build race

package buffer

// raceDetector: sync.Pool drops a quarter of what is put, at random, so nothing
// can be said of which memory comes back.
const raceDetector = true
