//go:build !race

package poolthreshold

const raceDetector = false
