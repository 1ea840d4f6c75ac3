//go:build !race

package orderedjsontemplates

const raceDetector = false
