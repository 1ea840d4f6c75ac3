//go:build !race

package flatmapslices

const raceDetector = false
