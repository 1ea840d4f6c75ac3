package orderedjsontemplates

import (
	"fmt"
	"hash/maphash"
	"sync"

	orderedjson "github.com/poolproof/poolproof/studies/ordered-json"
)

// model is that of the document of middle size: 25 operations, the number that
// the published generator tells its tiers in all cases.
var model = sync.OnceValue(func() *Model { return read(orderedjson.Medium) })

// wordy is a document of few operations whose descriptions are long: its client
// needs more than the tier of small documents has at first.
var wordy = orderedjson.Shape{Resources: 1, Operations: 3, Properties: 5, Words: 2000}

func read(s orderedjson.Shape) *Model {
	m, err := Read(s.Document())
	if err != nil {
		panic(fmt.Sprintf("%+v: %v", s, err))
	}
	return m
}

var parts = []struct {
	name string
	part Part
}{{"types", Types}, {"client", Client}, {"server", Server}}

var arms = []struct {
	name     string
	generate func(Part, *Model, Finish) ([]byte, error)
}{{"new", New}, {"pool", Pool}, {"tiers", Tiers}, {"lend", Lend}, {"split", Split}}

var seed = maphash.MakeSeed()

// hashed stands for a consumer that makes nothing of the source: what is left
// of the work is the template and the buffer.
func hashed(source []byte) ([]byte, error) {
	sum = maphash.Bytes(seed, source)
	return nil, nil
}

var sum uint64
