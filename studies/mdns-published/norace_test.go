//go:build !race

package mdnspublished

const raceDetector = false
