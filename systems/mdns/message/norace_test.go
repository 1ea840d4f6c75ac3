//go:build !race

package message_test

const raceEnabled = false
