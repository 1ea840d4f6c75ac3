//go:build !race

package adapt_test

const raceDetector = false
