//go:build race

package poolpeers

const raceDetector = true
