package buffer_test

import (
	"fmt"

	"github.com/poolproof/poolproof/buffer"
	"github.com/poolproof/poolproof/pool"
)

// A program whose requests have few sizes can say which: here pages of a disk, and
// runs of 16 pages. Nothing between them is kept apart.
func ExampleOptions_classes() {
	pages := buffer.New(buffer.Options{Classes: []int{4 << 10, 64 << 10}})
	for _, n := range []int{4096, 5000} {
		b := pages.Get(n)
		fmt.Println(b.Len(), "of", b.Cap())
		b.Release()
	}
	// Output:
	// 4096 of 4096
	// 5000 of 65536
}

// Waste tells whether the classes fit the sizes: it is the memory handed out for each
// byte that was asked for.
func ExampleStats_Waste() {
	p := buffer.New(buffer.Options{Classes: []int{4 << 10, 64 << 10}, Stats: pool.Uses})
	for range 10 {
		p.Get(8 << 10).Release()
	}
	fmt.Println(p.Stats().Waste(), "bytes handed out for each byte asked for")
	// Output: 8 bytes handed out for each byte asked for
}

// Content that lives long is taken out of the pool without a copy.
func ExampleBuffer_Take() {
	cache := make(map[string][]byte)
	b := buffers.Append()
	fmt.Fprint(b, "a page that is kept")
	cache["/"] = b.Take() // b is given up; the memory is the cache's for good
	fmt.Printf("%s\n", cache["/"])
	// Output: a page that is kept
}

// A record whose length comes first is read in two steps into one buffer.
func ExampleBuffer_Resize() {
	input := []byte("\x05hello")
	b := buffers.Get(1)
	defer b.Release()
	read := copy(b.Bytes(), input)
	b.Resize(1 + int(b.Bytes()[0]))
	copy(b.Bytes()[1:], input[read:])
	fmt.Printf("%q\n", b.Bytes())
	// Output: "\x05hello"
}
