//go:build race

package mdns

const raceEnabled = true
