//go:build !race

package orderedjson

const raceDetector = false
