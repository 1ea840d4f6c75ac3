package trycmd

import (
	"testing"
)

func TestPatternOfBenchmarksIsRefusedWhereTestingRefusesIt(t *testing.T) {
	for pattern, fine := range map[string]bool{
		"":              true,
		".":             true,
		"A/size=[0-9]+": true,
		"A|B/x":         true,
		"(A/B|C)":       true,
		"A/[/|]/b":      true,
		`A\[`:           true,
		"[":             false,
		"A/[":           false,
		"A/*/B":         false,
		"A|+":           false,
		"(A":            false,
		"A/(b/c":        false,
	} {
		if err := checkBench(pattern); (err == nil) != fine {
			t.Errorf("%q: %v", pattern, err)
		}
	}
}
