//go:build race

package exact

// RaceDetector tells whether the program is built with the race detector.
const RaceDetector = true
