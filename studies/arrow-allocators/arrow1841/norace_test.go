//go:build !race

package arrow1841

const raceDetector = false
