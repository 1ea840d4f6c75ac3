//go:build !race

package orderedjsonpublished

const raceDetector = false
