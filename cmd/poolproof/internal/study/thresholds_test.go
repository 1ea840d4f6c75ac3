package study

import (
	"strings"
	"testing"
)

func TestThresholdsAreReadAndWritten(t *testing.T) {
	for text, want := range map[string][3]float64{
		"2%":                            {0.02, 0, 0},
		"time=3%,bytes=1%":              {0.03, 0.01, 0},
		"bytes=1%":                      {0, 0.01, 0},
		"time=0.5%,bytes=1%,allocs=20%": {0.005, 0.01, 0.2},
	} {
		var q Question
		if err := q.SetThresholds(text); err != nil || [3]float64{q.Threshold, q.Bytes, q.Allocs} != want {
			t.Errorf("%s: %v, %v", text, err, q)
		}
		if got := q.Thresholds(); got != text {
			t.Errorf("%s is written as %s", text, got)
		}
	}
	for text, want := range map[string]string{
		"wall=3%":         `threshold of "wall"; the metrics are`,
		"time=3%,time=4%": "threshold of time twice",
		"bytes=":          "threshold of bytes without a value",
		"bytes=1":         `threshold "1" is not a percentage`,
		"":                "threshold of time without a value",
		"2%,":             "threshold of time twice",
	} {
		if err := new(Question).SetThresholds(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
