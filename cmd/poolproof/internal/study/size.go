package study

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// SizeKind says what the number of a [Size] is.
type SizeKind string

const (
	SizePercent    SizeKind = "percent"    // the arm takes so much less or more than the baseline
	SizeTimes      SizeKind = "times"      // the one takes so many times what the other takes
	SizeDifference SizeKind = "difference" // the arm takes so many units less or more
	SizeReached    SizeKind = "reached"    // the arm takes so many units
)

// Size is how large a claim says that an effect is. A published number has a
// last digit: what rounds to it is the same number, so a Size is a range.
type Size struct {
	Kind SizeKind
	More bool // the arm takes more than the baseline; not for SizeReached
	// Value, with the ends of what rounds to it: the ratio of the arm to the
	// baseline for SizePercent and SizeTimes, the arm less the baseline for
	// SizeDifference, the arm for SizeReached.
	Value, Lo, Hi float64
	Digits        int // after the point of the published number
}

var sizeForm = regexp.MustCompile(`^(?:(\d+(?:\.\d+)?)( %|x|) (less|more)|to (\d+(?:\.\d+)?))$`)

// SizeForms says how a size is written.
const SizeForms = `"36.2 % less", "8.9x more", "4 less" (in the metric's unit) or "to 48"`

// ParseSize reads the size of a claim, in one of the [SizeForms].
func ParseSize(text string) (Size, error) {
	m := sizeForm.FindStringSubmatch(text)
	if m == nil {
		return Size{}, fmt.Errorf("size %q: write %s", text, SizeForms)
	}
	number := m[1] + m[4]
	v, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return Size{}, fmt.Errorf("size %q: %w", text, err)
	}
	_, digits, _ := strings.Cut(number, ".")
	half := math.Pow(10, -float64(len(digits))) / 2
	s := Size{Kind: SizeReached, More: m[3] == "more", Value: v, Lo: v - half, Hi: v + half, Digits: len(digits)}
	switch {
	case m[4] != "":
		return s, nil
	case v == 0:
		return Size{}, fmt.Errorf("size %q: a claim of no change has the class same and no size", text)
	case m[2] == " %":
		s.Kind = SizePercent
		s = s.through(func(x float64) float64 {
			if s.More {
				return 1 + x/100
			}
			return 1 - x/100
		})
		if s.Value < 0 {
			return Size{}, fmt.Errorf("size %q: an arm cannot take 100 %% less or more than that", text)
		}
		s.Lo = max(0, s.Lo)
	case m[2] == "x":
		s.Kind = SizeTimes
		if v <= 1 {
			return Size{}, fmt.Errorf("size %q: write a factor above 1, such as \"2.2x less\"", text)
		}
		s = s.through(func(x float64) float64 {
			if s.More {
				return x
			}
			return 1 / x
		})
	default:
		s.Kind = SizeDifference
		s = s.through(func(x float64) float64 {
			if s.More {
				return x
			}
			return -x
		})
	}
	return s, nil
}

// through converts the value and its ends.
func (s Size) through(f func(float64) float64) Size {
	a, b := f(s.Lo), f(s.Hi)
	s.Value, s.Lo, s.Hi = f(s.Value), min(a, b), max(a, b)
	return s
}

// Widen adds what the claim allows beside rounding: a factor above 1, by which
// the found number may be off. Of a percentage it is the percentage.
func (s Size) Widen(factor float64) Size {
	if factor <= 1 {
		return s
	}
	none := 0.0
	if s.Kind == SizePercent {
		none = 1
	}
	lo, hi := s.Lo-none, s.Hi-none
	for _, e := range []float64{lo / factor, lo * factor, hi / factor, hi * factor} {
		s.Lo, s.Hi = min(s.Lo, none+e), max(s.Hi, none+e)
	}
	return s
}

// ParseWithin reads the factor of a claim, as "1.5x"; "" is 1.
func ParseWithin(text string) (float64, error) {
	if text == "" {
		return 1, nil
	}
	number, ok := strings.CutSuffix(text, "x")
	f, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || !(f > 1) || f > 10 {
		return 0, fmt.Errorf("within %q: write a factor from 1 to 10, such as \"1.5x\"", text)
	}
	return f, nil
}
