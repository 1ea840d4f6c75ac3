//go:build !race

package arrowallocators

const raceDetector = false
