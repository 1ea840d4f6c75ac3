//go:build race

package crew

const raceDetector = true
