package flatmappublished

import (
	"iter"

	"github.com/poolproof/poolproof/pool"
	flatmapslices "github.com/poolproof/poolproof/studies/flatmap-slices"
)

// Inputs is the number of inputs of an operation, fan the outputs of each. A
// variable in place of the constant fan would make the benchmark valid.
const (
	Inputs = 1000
	fan    = 5
)

type result = flatmapslices.Result[int]

// Form makes fan Results of x, and sends them.
type Form func(out chan<- result, x int)

// Run is one operation: a goroutine applies form to the inputs 0, 1, ...,
// Inputs-1, and Run returns the sum of what it sends.
func Run(form Form) (sum int) {
	out := make(chan result, flatmapslices.Buffer)
	go func() {
		defer close(out)
		for x := range Inputs {
			form(out, x)
		}
	}()
	for r := range out {
		sum += r.Value()
	}
	return sum
}

// Make is the form that is said to allocate: a new slice for each input.
func Make(out chan<- result, x int) {
	results := make([]result, fan)
	for i := range results {
		results[i] = flatmapslices.Ok(x*fan + i)
	}
	for _, r := range results {
		out <- r
	}
}

var kept = pool.New(pool.Options[[]result]{
	New: func() *[]result { s := make([]result, fan); return &s },
})

// Pool takes the slice from a pool.
func Pool(out chan<- result, x int) {
	results := kept.Get()
	for i := range *results {
		(*results)[i] = flatmapslices.Ok(x*fan + i)
	}
	for _, r := range *results {
		out <- r
	}
	clear(*results)
	kept.Put(results)
}

// Direct sends each Result as it is made.
func Direct(out chan<- result, x int) {
	for i := range fan {
		out <- flatmapslices.Ok(x*fan + i)
	}
}

// Iter ranges over an iterator that makes the Results.
func Iter(out chan<- result, x int) {
	for r := range expand(x) {
		out <- r
	}
}

func expand(x int) iter.Seq[result] {
	return func(yield func(result) bool) {
		for i := range fan {
			if !yield(flatmapslices.Ok(x*fan + i)) {
				return
			}
		}
	}
}
