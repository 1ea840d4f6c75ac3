//go:build race

package flow

const raceDetector = true
