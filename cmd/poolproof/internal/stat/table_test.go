package stat

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestTheTruthTableCellByCell(t *testing.T) {
	type cell struct {
		time, memory study.Class
		bytesFell    bool
	}
	want := map[cell]study.Verdict{
		{study.Better, study.Better, true}:      study.Positive,
		{study.Better, study.Same, false}:       study.Positive,
		{study.Better, study.Worse, false}:      study.TradeOff,
		{study.Better, study.Mixed, true}:       study.Positive,
		{study.Better, study.Mixed, false}:      study.Positive,
		{study.Same, study.Better, true}:        study.Positive,
		{study.Same, study.Same, false}:         study.NoChange,
		{study.Same, study.Worse, false}:        study.Negative,
		{study.Same, study.Mixed, true}:         study.TradeOff,
		{study.Same, study.Mixed, false}:        study.TradeOff,
		{study.NotWorse, study.Better, true}:    study.Positive,
		{study.NotWorse, study.Same, false}:     study.Inconclusive,
		{study.NotWorse, study.Worse, false}:    study.Negative,
		{study.NotWorse, study.Mixed, true}:     study.TradeOff,
		{study.NotWorse, study.Mixed, false}:    study.TradeOff,
		{study.Worse, study.Better, true}:       study.TradeOff,
		{study.Worse, study.Same, false}:        study.Negative,
		{study.Worse, study.Worse, false}:       study.Negative,
		{study.Worse, study.Mixed, true}:        study.TradeOff,
		{study.Worse, study.Mixed, false}:       study.Negative,
		{study.Unresolved, study.Better, true}:  study.Inconclusive,
		{study.Unresolved, study.Same, false}:   study.Inconclusive,
		{study.Unresolved, study.Worse, false}:  study.Negative,
		{study.Unresolved, study.Mixed, true}:   study.Inconclusive,
		{study.Unresolved, study.Mixed, false}:  study.Inconclusive,
		{study.Better, study.Unresolved, false}: study.Inconclusive,
		{"", study.Same, false}:                 study.Inconclusive,
	}
	for c, v := range want {
		if got := Verdict(c.time, c.memory, c.bytesFell); got != v {
			t.Errorf("time %s, memory %s, bytes fell %v: %s, want %s", c.time, c.memory, c.bytesFell, got, v)
		}
	}
	// bytesFell matters for one pair of cells only.
	for time := range table {
		for _, memory := range []study.Class{study.Better, study.Same, study.Worse, study.Mixed} {
			a, b := Verdict(time, memory, true), Verdict(time, memory, false)
			if a != b && !(time == study.Worse && memory == study.Mixed) {
				t.Errorf("time %s, memory %s: %s or %s", time, memory, a, b)
			}
		}
	}
}
