package study

import (
	"fmt"
	"strconv"
	"strings"
)

// Thresholds returns the differences that the question counts as equal, as SetThresholds reads them; "" if the
// user chose nothing.
func (q Question) Thresholds() string {
	var parts []string
	for _, m := range q.thresholds() {
		if *m.share != 0 {
			parts = append(parts, m.name+"="+strconv.FormatFloat(100**m.share, 'g', 6, 64)+"%")
		}
	}
	if len(parts) == 1 && q.Threshold != 0 {
		return strings.TrimPrefix(parts[0], "time=")
	}
	return strings.Join(parts, ",")
}

// SetThresholds reads a threshold of time, as "2%", or those of several metrics, as
// "time=3%,bytes=1%,allocs=5%". What the text does not name is left as it is.
func (q *Question) SetThresholds(text string) error {
	seen := map[string]bool{}
	for part := range strings.SplitSeq(text, ",") {
		name, value, named := strings.Cut(strings.TrimSpace(part), "=")
		if !named {
			name, value = "time", part
		}
		var share *float64
		for _, m := range q.thresholds() {
			if m.name == name {
				share = m.share
			}
		}
		switch {
		case share == nil:
			return fmt.Errorf("threshold of %q; the metrics are time, bytes and allocs, as in time=3%%,bytes=1%%", name)
		case seen[name]:
			return fmt.Errorf("threshold of %s twice", name)
		case value == "":
			return fmt.Errorf("threshold of %s without a value; write one as %s=3%%", name, name)
		}
		seen[name] = true
		v, err := Threshold(value)
		if err != nil {
			return err
		}
		*share = v
	}
	return nil
}

// thresholds are those of each metric.
func (q *Question) thresholds() []struct {
	name  string
	share *float64
} {
	return []struct {
		name  string
		share *float64
	}{{"time", &q.Threshold}, {"bytes", &q.Bytes}, {"allocs", &q.Allocs}}
}
