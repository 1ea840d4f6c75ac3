//go:build !race

package orderedjsonlent

const raceDetector = false
