package study

// Printed holds the figures of one benchmark in a Go benchmark file. Lists of
// figures have an element a line, in the order of the file; Bytes and Allocs are
// empty where some line has no such figure.
type Printed struct {
	Name    string // as printed, with the number of processors: BenchmarkX/n=5-8
	Package string // import path; "" where the file does not say
	Process []int  // which of the test processes of the file wrote the line; they count from 1
	N       []int  // operations
	Time    []float64
	Bytes   []float64
	Allocs  []float64
	Extra   map[string][]float64 // other units, as printed; each may be on some lines only
}

// PrintedFile is a Go benchmark file.
type PrintedFile struct {
	Name       string
	CPUs       []string // processors that it names, each once
	Systems    []string // as linux/amd64, each once
	Benchmarks []Printed
	Notices    []string // one line each: what could not be read, and what failed
}
