//go:build !race

package oas_test

const raceDetector = false
