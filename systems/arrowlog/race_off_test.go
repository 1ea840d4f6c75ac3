//go:build !race

package arrowlog_test

const raceEnabled = false
