//go:build !race

package poolpeers

const raceDetector = false
