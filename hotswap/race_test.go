//go:build race

package hotswap_test

// raceDetector: what is allocated is not what a normal build allocates.
const raceDetector = true
