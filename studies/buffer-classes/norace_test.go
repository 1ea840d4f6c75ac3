//go:build !race

package bufferclasses

const raceDetector = false
