package stat

import (
	"math"
	"slices"
)

// HL is the Hodges-Lehmann estimate of a centre: the median of the means of
// all pairs (d[i]+d[j])/2 with i <= j. It returns NaN if d is empty. Time and
// memory grow with the square of len(d). Source: Hodges and Lehmann,
// "Estimates of location based on rank tests", 1963.
func HL(d []float64) float64 {
	means := make([]float64, 0, len(d)*(len(d)+1)/2)
	for i, a := range d {
		for _, b := range d[i:] {
			means = append(means, (a+b)/2)
		}
	}
	return medianInPlace(means)
}

// median returns NaN for no values. It keeps d as it is.
func median(d []float64) float64 { return medianInPlace(slices.Clone(d)) }

// medianInPlace is median for values whose order is not needed again.
func medianInPlace(d []float64) float64 {
	if len(d) == 0 {
		return math.NaN()
	}
	slices.Sort(d)
	h := len(d) / 2
	if len(d)%2 == 1 {
		return d[h]
	}
	return (d[h-1] + d[h]) / 2
}

// mean returns NaN for no values.
func mean(d []float64) float64 {
	sum := 0.0
	for _, x := range d {
		sum += x
	}
	return sum / float64(len(d))
}

// deviation is the sample standard deviation, NaN for fewer than two values.
func deviation(d []float64) float64 {
	if len(d) < 2 {
		return math.NaN()
	}
	m, sum := mean(d), 0.0
	for _, x := range d {
		sum += (x - m) * (x - m)
	}
	return math.Sqrt(sum / float64(len(d)-1))
}
