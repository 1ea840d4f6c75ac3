package study

import (
	"math"
	"strings"
	"testing"
)

func TestASizeIsWhatRoundsToItsNumber(t *testing.T) {
	for text, want := range map[string]Size{
		"36.20 % less": {Kind: SizePercent, More: false, Value: 0.638, Lo: 0.63795, Hi: 0.63805},
		"12.9 % more":  {Kind: SizePercent, More: true, Value: 1.129, Lo: 1.1285, Hi: 1.1295},
		"100 % less":   {Kind: SizePercent, More: false, Value: 0, Lo: 0, Hi: 0.005},
		"78x less":     {Kind: SizeTimes, More: false, Value: 1.0 / 78, Lo: 1 / 78.5, Hi: 1 / 77.5},
		"8.9x more":    {Kind: SizeTimes, More: true, Value: 8.9, Lo: 8.85, Hi: 8.95},
		"4 less":       {Kind: SizeDifference, More: false, Value: -4, Lo: -4.5, Hi: -3.5},
		"20 more":      {Kind: SizeDifference, More: true, Value: 20, Lo: 19.5, Hi: 20.5},
		"to 48":        {Kind: SizeReached, More: false, Value: 48, Lo: 47.5, Hi: 48.5},
		"to 4.8":       {Kind: SizeReached, More: false, Value: 4.8, Lo: 4.75, Hi: 4.85},
	} {
		got, err := ParseSize(text)
		if err != nil || got.Kind != want.Kind || got.More != want.More || math.Abs(got.Value-want.Value)+math.Abs(got.Lo-want.Lo)+math.Abs(got.Hi-want.Hi) > 1e-9 {
			t.Errorf("%q: %+v, %v; want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "-12.9 %", "12.9%", "12.9 %", "x more", "0 % less", "0 more", "1x more", "0.5x less", "120 % less", "1e3 more", "less", "to -4", "4 less "} {
		if got, err := ParseSize(text); err == nil {
			t.Errorf("%q was taken for %+v", text, got)
		} else if !strings.HasPrefix(err.Error(), "size ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAFactorWidensASizeOnBothSides(t *testing.T) {
	s, err := ParseSize("2x less")
	if err != nil {
		t.Fatal(err)
	}
	if w := s.Widen(1.5); math.Abs(w.Lo-s.Lo/1.5) > 1e-12 || math.Abs(w.Hi-s.Hi*1.5) > 1e-12 || w.Value != s.Value {
		t.Errorf("%+v", w)
	}
	p, _ := ParseSize("20 % less")
	if w := p.Widen(1.5); math.Abs(w.Lo-(1-0.205*1.5)) > 1e-12 || math.Abs(w.Hi-(1-0.195/1.5)) > 1e-12 {
		t.Errorf("%+v", w)
	}
	d, _ := ParseSize("4 less")
	if w := d.Widen(2); w.Lo != -9 || w.Hi != -1.75 {
		t.Errorf("%+v", w)
	}
	for text, ok := range map[string]bool{"": true, "1.5x": true, "1.5": false, "x": false, "1x": false, "20x": false, "NaNx": false} {
		if _, err := ParseWithin(text); (err == nil) != ok {
			t.Errorf("within %q: %v", text, err)
		}
	}
}
