package stat

import "math"

// tQuantile is the value that a variable of Student's distribution with df
// degrees of freedom stays below with probability p. It returns NaN for p
// outside (0, 1) or df not above 0. Its relative error is below 1e-10 for the
// values that the rule uses (testdata/scipy.json).
func tQuantile(p, df float64) float64 {
	switch {
	case !(p > 0 && p < 1) || !(df > 0):
		return math.NaN()
	case p == 0.5:
		return 0
	case p < 0.5:
		return -tQuantile(1-p, df)
	}
	// P(|T| > t) = I_x(df/2, 1/2) with x = df/(df+t²), so t² = df (1-x)/x.
	return math.Sqrt(df * math.Exp(-betaQuantile(2*(1-p), df/2, 0.5)))
}

// betaQuantile solves I_x(a, b) = p and returns log(x/(1-x)), which is as
// exact near x = 1 as near 0: Newton's steps, halving the bracket where a step
// would leave it.
func betaQuantile(p, a, b float64) float64 {
	lo, hi, y := -700.0, 700.0, 0.0
	for range 200 {
		v, slope := betaInc(1/(1+math.Exp(-y)), 1/(1+math.Exp(y)), a, b)
		if v < p {
			lo = y
		} else {
			hi = y
		}
		step := (v - p) / slope
		next := y - step
		if !(next > lo && next < hi) {
			next = (lo + hi) / 2
		}
		if math.Abs(next-y) <= 1e-15*math.Abs(y) {
			return next
		}
		y = next
	}
	return y
}

// betaInc is the regularised incomplete beta function I_x(a, b), with y = 1-x
// given apart so that neither loses digits, and its slope by log(x/y). The
// continued fraction (DLMF 8.17.22) converges fast below the mean; the
// symmetry I_x(a, b) = 1 - I_y(b, a) serves the other side.
func betaInc(x, y, a, b float64) (value, slope float64) {
	if x == 0 || y == 0 {
		return x, 0
	}
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	slope = math.Exp(a*math.Log(x) + b*math.Log(y) + lab - la - lb)
	if x < (a+1)/(a+b+2) {
		return slope * betaFraction(x, a, b) / a, slope
	}
	return 1 - slope*betaFraction(y, b, a)/b, slope
}

// betaFraction evaluates the continued fraction from the front (Lentz's
// method, with Thompson and Barnett's care for zeros).
func betaFraction(x, a, b float64) float64 {
	const tiny = 1e-300
	away := func(v float64) float64 {
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	c, d := 1.0, 1/away(1-(a+b)*x/(a+1))
	h := d
	for i := 1; i <= 1000; i++ {
		m := float64(i)
		even := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d = 1 / away(1+even*d)
		c = away(1 + even/c)
		h *= d * c
		odd := -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d = 1 / away(1+odd*d)
		c = away(1 + odd/c)
		h *= d * c
		if math.Abs(d*c-1) < 1e-15 {
			break
		}
	}
	return h
}
