//go:build !race

package mdnsreceive

const raceDetector = false
