//go:build race

package pool_test

// raceDetector: sync.Pool drops a quarter of what is put, at random, so
// nothing can be said of which object comes back.
const raceDetector = true
