//go:build !race

package bufferpeers

const raceDetector = false
