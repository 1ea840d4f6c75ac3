package profile

// Profile has the sites of one or several profiles.
type Profile struct {
	Sites []*Site // ranked

	// Bytes and Objects are all that was allocated: of benchmarks, per second of
	// each of them.
	Bytes, Objects float64
	// Tests and Elsewhere are what test files allocate themselves, and what no
	// function of the user's modules is below: parts of Bytes and Objects, from 0 to 1.
	Tests, Elsewhere Part

	CPU CPU // of all benchmarks, or of the CPU profiles among the files
}

// Part is a part of bytes and of objects, from 0 to 1.
type Part struct {
	Bytes   float64 `json:"bytes"`
	Objects float64 `json:"objects"`
}

// Hot returns the sites that have at least that part of the bytes or of the
// objects, at most limit of them; 0 is no limit. The rank stays.
func (p *Profile) Hot(least float64, limit int) (hot []*Site) {
	for _, s := range p.Sites {
		if s.Largest() >= least && (limit == 0 || len(hot) < limit) {
			hot = append(hot, s)
		}
	}
	return hot
}
