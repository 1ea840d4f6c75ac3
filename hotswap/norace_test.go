//go:build !race

package hotswap_test

const raceDetector = false
