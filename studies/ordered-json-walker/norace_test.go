//go:build !race

package orderedjsonwalker

const raceDetector = false
