//go:build race

package adapt_test

// raceDetector: sync.Pool drops a quarter of what is put, at random, so nothing
// can be said of which memory comes back.
const raceDetector = true
