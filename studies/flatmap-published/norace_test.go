//go:build !race

package flatmappublished

const raceDetector = false
