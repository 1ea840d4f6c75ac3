//go:build race

package arrowmem_test

const raceEnabled = true
