//go:build !race

package orderedjsonencoder

const raceDetector = false
