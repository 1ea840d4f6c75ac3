package stat

import (
	"math"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Figures with a say stand beside memory: bytes and allocations are one
// resource, each such figure is one more.

// verdictWith is the verdict of time, memory and the figures that have a say.
// Memory or a figure that is not resolved may turn out either way; the verdict is
// then what all of these ways have in common, and INCONCLUSIVE if that is nothing.
func verdictWith(time, memory study.Class, bytesFell bool, figures []study.MetricResult) study.Verdict {
	ways := [][]study.Class{{memory}}
	if memory == study.Unresolved {
		ways = [][]study.Class{{study.Better}, {study.Same}, {study.Worse}}
	}
	for _, f := range figures {
		if !f.Decides {
			continue
		}
		var more [][]study.Class
		for _, w := range ways {
			for _, c := range turnOut(f) {
				more = append(more, append(w[:len(w):len(w)], c))
			}
		}
		ways = more
	}
	verdict := study.Verdict("")
	for _, w := range ways {
		v := Verdict(time, join(w), bytesFell || slices.Contains(w[1:], study.Better))
		if verdict != "" && v != verdict {
			return study.Inconclusive
		}
		verdict = v
	}
	return verdict
}

// verdictBy is verdictWith where the interval of time is known, and the band.
func verdictBy(time study.Class, iv interval, band float64, memory study.Class, bytesFell bool, figures []study.MetricResult) study.Verdict {
	return verdictWith(weighed(time, iv, band), memory, bytesFell, figures)
}

// weighed is the class of time as the table takes it. Time that is not resolved and looks
// better is in no row of it: with worse memory it may become a trade-off.
func weighed(time study.Class, iv interval, band float64) study.Class {
	if time == study.Unresolved && iv.mean < -band && (iv.n < 2 || iv.hi < 0) {
		return ""
	}
	return time
}

// join makes one class of several resources.
func join(classes []study.Class) study.Class {
	joined := study.Same
	for _, c := range classes {
		switch {
		case c == study.Same || c == joined:
		case joined == study.Same:
			joined = c
		default:
			joined = study.Mixed
		}
	}
	return joined
}

// turnOut lists the classes that a figure may have, as a resource.
func turnOut(f study.MetricResult) []study.Class {
	switch f.Class {
	case study.Unresolved:
		return []study.Class{study.Better, study.Same, study.Worse}
	case study.NotWorse:
		return []study.Class{study.Better, study.Same}
	}
	if f.Exact && !matters(f) {
		return []study.Class{study.Same}
	}
	return []study.Class{f.Class}
}

// matters tells whether a count moved by enough to be worth a verdict, as
// bytes must: a twentieth of the larger side. Whole numbers matter by one.
func matters(f study.MetricResult) bool {
	if f.Baseline == math.Trunc(f.Baseline) && f.Candidate == math.Trunc(f.Candidate) {
		return f.Baseline != f.Candidate
	}
	return math.Abs(f.Candidate-f.Baseline) >= memoryShare*max(math.Abs(f.Baseline), math.Abs(f.Candidate))
}

// countedMove tells whether a count that has a say moved: then the verdict
// rests on more than time, and no layout of the binary made it.
func countedMove(figures []study.MetricResult) bool {
	return slices.ContainsFunc(figures, func(f study.MetricResult) bool { return f.Decides && f.Exact && turnOut(f)[0] != study.Same })
}
