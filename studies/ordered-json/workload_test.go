package orderedjson

import "sync"

// Documents and buffers outlive a benchmark's call, so that a pool is warm
// whenever the clock runs, and no slice pays for reading a document.
var documents = []struct {
	name  string
	shape Shape
	get   func() *Document
}{
	{"small", Small, sync.OnceValue(Small.Document)},
	{"medium", Medium, sync.OnceValue(Medium.Document)},
	{"large", Large, sync.OnceValue(Large.Document)},
	{"petstore3", Petstore3, sync.OnceValue(Petstore3.Document)},
}

// arm is one form of marshalling a document. Only the result of the arm lease
// is not the caller's.
type arm struct {
	name    string
	marshal func(*Document) ([]byte, error)
}

var lease, indentLease Lease

var orderedArms = []arm{
	{"grow", Grow}, {"pool", Pool}, {"presized", Presized}, {"lease", lease.JSON}, {"lean", Lean},
}

var allArms = append(orderedArms[:len(orderedArms):len(orderedArms)], arm{"sorted", Sorted})

var indentArms = []arm{
	{"grow", GrowIndent}, {"pool", PoolIndent}, {"presized", PresizedIndent}, {"lease", indentLease.Indent},
}
