package stat

import (
	"math"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// interval is Student's interval over launch estimates, log ratios. The launch
// is the unit: pairs inside one share its layout, hash seed and phase of the
// collector, and pooling them rejects far too often.
type interval struct {
	n      int
	mean   float64
	lo, hi float64 // NaN for fewer than two launches
	sd     float64 // NaN for fewer than two launches
	off    float64 // by how much the mean may be wrong whatever the number of launches; lo and hi allow for it

	contested bool // the plain sums gainsay what it would be classified as
}

// over computes the two-sided interval with error alpha.
func over(units []float64, alpha float64) interval {
	iv := interval{n: len(units), mean: mean(units), sd: deviation(units), lo: math.NaN(), hi: math.NaN()}
	if iv.n >= 2 {
		half := tQuantile(1-alpha/2, float64(iv.n-1)) * iv.sd / math.Sqrt(float64(iv.n))
		iv.lo, iv.hi = iv.mean-half, iv.mean+half
	}
	return iv
}

// widen allows for an error of up to off, 0 or more, that all launches may
// share and that more of them would not average away.
func (iv interval) widen(off float64) interval {
	iv.off += off
	iv.lo, iv.hi = iv.lo-off, iv.hi+off
	return iv
}

// plus adds an independent interval of another part of the same number.
func (iv interval) plus(part interval) interval {
	half := math.Hypot(iv.half(), part.half())
	iv.mean += part.mean
	iv.lo, iv.hi = iv.mean-half, iv.mean+half
	return iv
}

// half is the half-width.
func (iv interval) half() float64 { return (iv.hi - iv.lo) / 2 }

// classify judges one interval: worse and better need an interval that excludes
// zero and a mean beyond the band, whatever it may be off by; same needs an
// interval inside the band.
func (iv interval) classify(band float64) study.Class {
	switch {
	case iv.contested:
	case iv.lo > 0 && iv.mean-iv.off > band:
		return study.Worse
	case iv.hi < 0 && iv.mean+iv.off < -band:
		return study.Better
	case iv.lo >= -band && iv.hi <= band:
		return study.Same
	}
	return study.Unresolved
}

// Margin is how far a log ratio lies from where it would be of another class: from 0 or,
// inside of the band, from its end, to which it may happen to be near.
func Margin(mean, band float64) float64 {
	if m := math.Abs(mean); m > band {
		return m
	}
	return max(band-math.Abs(mean), band/4)
}

// decision is the rule's class for a row of launches.
type decision struct {
	interval             // over the launches up to the look that decided, else over all
	class    study.Class // never empty
	decided  int         // launches at that look; 0: none decided
	open     bool        // none decided, and a look is still to come
}

// replay looks at the launches in their order and keeps the first decision, so
// that judging again, or with more launches, changes nothing. at(n) is the
// interval of the first n launches; which number of a launch counts may depend
// on n. have is the number of launches there are.
//
// Only at the end, once, the class "not worse" is given: the upper end of the
// interval is inside the band though the lower one is not.
func replay(looks []int, have int, band float64, at func(n int) interval) decision {
	for _, n := range looks {
		if n > have {
			break
		}
		iv := at(n)
		if c := iv.classify(band); c != study.Unresolved {
			return decision{interval: iv, class: c, decided: n}
		}
	}
	last := looks[len(looks)-1]
	iv := at(min(have, last))
	d := decision{interval: iv, class: study.Unresolved, open: have < last}
	if iv.n >= looks[0] && iv.hi <= band && !iv.contested {
		d.class = study.NotWorse
	}
	return d
}
