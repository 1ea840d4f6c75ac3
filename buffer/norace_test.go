//go:build !race

package buffer

const raceDetector = false
