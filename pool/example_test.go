package pool_test

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/poolproof/poolproof/pool"
)

// lines makes room once, empties each buffer as it comes back, and is shared
// by all callers of upper.
var lines = pool.New(pool.Rules[bytes.Buffer]{
	New:   func() *bytes.Buffer { return bytes.NewBuffer(make([]byte, 0, 1024)) },
	Reset: (*bytes.Buffer).Reset,
})

// upper builds its answer in a pooled buffer. String copies: what upper
// returns is its caller's, and nothing of the buffer is in use after Put.
func upper(words ...string) string {
	b := lines.Get()
	defer lines.Put(b)
	for _, w := range words {
		b.WriteString(strings.ToUpper(w))
		b.WriteByte('.')
	}
	return b.String()
}

func Example() {
	fmt.Println(upper("one", "two"))
	fmt.Println(upper("three"))
	// Output:
	// ONE.TWO.
	// THREE.
}

// A slice is pooled by a pointer to it: a slice itself does not fit in an
// interface and would be allocated by each Put. Reset cuts the references that
// its elements hold and sets the length to 0; the capacity stays.
func ExampleRules() {
	batches := pool.New(pool.Rules[[]*string]{
		Reset: func(batch *[]*string) {
			clear(*batch)
			*batch = (*batch)[:0]
		},
	})

	batch := batches.Get()
	for _, word := range []string{"a", "b", "c"} {
		*batch = append(*batch, &word)
	}
	fmt.Println(len(*batch))
	batches.Put(batch)
	// Output: 3
}
