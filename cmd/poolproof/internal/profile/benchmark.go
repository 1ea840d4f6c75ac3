package profile

import "math"

// Benchmark holds the measurements of one benchmark.
type Benchmark struct {
	Package string   // import path
	Name    string   // full name, as BenchmarkEncode/size=1K
	Wall    float64  // nanoseconds of an operation, without profiles
	Samples []Sample // of one operation
	CPU     CPU
}

// Total returns the bytes and objects that one operation allocates.
func (b Benchmark) Total() (bytes, objects float64) {
	for _, s := range b.Samples {
		bytes += s.Bytes
		objects += s.Objects
	}
	return bytes, objects
}

// CPU counts the samples of a CPU profile by what the time went to. They may be
// fractions: set-up is taken off.
type CPU struct {
	Samples  float64 // all of them; 0: no profile
	Allocate float64 // in the allocator, on behalf of the program
	Collect  float64 // in the garbage collector, its background workers included
}

// Less returns the profile without the set-up that another one has.
func (c CPU) Less(setUp CPU) CPU {
	return CPU{max(0, c.Samples-setUp.Samples), max(0, c.Allocate-setUp.Allocate), max(0, c.Collect-setUp.Collect)}
}

// Add adds up two profiles.
func (c CPU) Add(other CPU) CPU {
	return CPU{c.Samples + other.Samples, c.Allocate + other.Allocate, c.Collect + other.Collect}
}

// Bound is the upper 95 % limit of the part of the CPU time that goes away with
// a site that has these shares of the bytes and objects: collection goes with
// the bytes, allocation with the larger of the two. It is 0 without samples.
func (c CPU) Bound(byteShare, objectShare float64) float64 {
	most := max(byteShare, objectShare)
	if c.Samples <= 0 || most <= 0 {
		return 0
	}
	part := (c.Collect*byteShare/most + c.Allocate) / c.Samples
	return most * wilson(min(1, part), c.Samples)
}

// wilson is the upper limit of Wilson's one-sided 95 % interval of a proportion
// p that was seen in n samples. A weighted mean of indicators varies no more
// than a proportion does.
func wilson(p, n float64) float64 {
	const z = 1.6448536269514722
	center := p + z*z/(2*n)
	margin := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return min(1, (center+margin)/(1+z*z/n))
}
