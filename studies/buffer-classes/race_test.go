//go:build race

package bufferclasses

const raceDetector = true
