// Package lives has one function for each way in which an object lives. A comment names the
// line that allocates; the same name with a > stands at the lines that call on the way there.
package lives

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"sync"
)

// Local uses its slice alone.
func Local(n int) (sum int) {
	b := make([]int, n) // local
	for i := range b {
		b[i] = i
	}
	for _, v := range b {
		sum += v
	}
	return sum
}

// Total uses what a helper returns.
func Total(n int) int {
	words := split(n) // >helper
	return len(words) + cap(words)
}

func split(n int) []string {
	words := make([]string, n) // helper
	for i := range words {
		words[i] = "x"
	}
	return words
}

// Encode returns what it makes.
func Encode(n int) []byte {
	out := make([]byte, n) // returned
	for i := range out {
		out[i] = byte(i)
	}
	return out
}

var cache = map[int][]byte{}

// Cached keeps what it makes, and reads it at the next call.
func Cached(n int) int {
	last := 0
	if old := cache[0]; old != nil {
		last = int(old[0])
	}
	b := make([]byte, n) // cached
	b[0] = 1
	cache[0] = b
	return last
}

var held [][]byte

// Hold keeps what it makes, and nothing looks at it again.
func Hold(n int) int {
	b := make([]byte, n) // held
	b[0] = 1
	held = append(held, b)
	return int(b[0])
}

// Parallel lets another goroutine fill its slice, and waits.
func Parallel(n int) int {
	b := make([]int, n) // goroutine
	var done sync.WaitGroup
	done.Add(1)
	go func() {
		defer done.Done()
		for i := range b {
			b[i] = i
		}
	}()
	done.Wait()
	return b[n-1]
}

// WriteTo hands its slice to a writer.
func WriteTo(w io.Writer, n int) error {
	b := make([]byte, 0, n) // writer
	b = append(b, `{"a":1}`...)
	_, err := w.Write(b)
	return err
}

// Keeper keeps what is written to it, without a copy.
type Keeper struct{ last []byte }

func (k *Keeper) Write(p []byte) (int, error) {
	k.last = p
	return len(p), nil
}

// WriteKept hands its slice to a Keeper.
func WriteKept(k *Keeper, n int) error {
	b := make([]byte, n) // kept
	_, err := k.Write(b)
	return err
}

// Grow lets a buffer grow in a helper.
func Grow(n int) int {
	var buf bytes.Buffer
	fill(&buf, n) // buffer
	return buf.Len()
}

func fill(buf *bytes.Buffer, n int) {
	for range n {
		buf.WriteString("0123456789")
	}
}

// JSON marshals, and copies what comes out.
func JSON(n int) string {
	b, _ := json.Marshal(make([]int, n)) // json
	return strings.ToUpper(string(b))
}

// Literal makes its slice in a function literal.
func Literal(n int) int {
	f := func() int {
		b := make([]int, n) // literal
		return len(b) + b[0]
	}
	return f() + f() // >literal
}

// Nested keeps its object for the calls below it, and calls itself.
func Nested(n int) int {
	b := make([]int, n) // recursive
	b[0] = n
	if n > 1 {
		b[0] += Nested(n - 1) // >recursive
	}
	return b[0]
}

// Equal compares in assembly after the function that made the slice has returned.
func Equal(n int) bool {
	return bytes.Equal(zeros(n), zeros(n)) // >assembly
}

func zeros(n int) []byte {
	return make([]byte, n) // assembly
}

// Tiny makes objects that share a block.
func Tiny(n int) (sum int) {
	for range n {
		p := new(int32) // tiny
		ints[0] = p
		sum += int(*p)
	}
	ints[0] = nil
	return sum
}

var ints [1]*int32

// Sometimes keeps one of a hundred.
func Sometimes(i int) int {
	b := make([]byte, 64+i%2) // sometimes
	if i%100 == 99 {
		held = append(held, b)
	}
	return len(b)
}

// Fill leaves its slice in what it was given.
func Fill(into map[string][]byte, n int) {
	b := make([]byte, n) // given
	into["b"] = b
}

// Encoder keeps its buffer.
type Encoder struct{ buf []byte }

// Append leaves its memory in the receiver.
func (e *Encoder) Append(n int) {
	e.buf = append(e.buf, make([]byte, n)...) // receiver
}

// Each hands its slice to a function of the caller.
func Each(n int, do func([]byte)) {
	b := make([]byte, n) // callback
	do(b)
}

var pool = sync.Pool{New: func() any {
	b := make([]byte, 512) // pooled
	return &b
}}

// Pooled borrows a slice for as long as it runs, and asks for another one now and then.
func Pooled(i int) int {
	b := pool.Get().(*[]byte)
	if i%3 != 0 {
		defer pool.Put(b)
	}
	return len(*b)
}

var jobs = make(chan []byte)

func init() {
	go func() {
		for b := range jobs {
			b[0]++
		}
	}()
}

// Send hands its slice to a goroutine that it does not wait for.
func Send(n int) {
	b := make([]byte, n) // sent
	jobs <- b
}

// Generic makes its slice in a generic function.
func Generic[T any](n int, zero T) int {
	s := make([]T, n) // generic
	for i := range s {
		s[i] = zero
	}
	return len(s)
}

// All hands out its slices one after the other.
func All(n int) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for range 3 {
			b := make([]byte, n) // iterator
			if !yield(b) {
				return
			}
		}
	}
}

// Last makes many, and returns the last one.
func Last(n int) (last []byte) {
	for range 90 {
		last = make([]byte, n) // last
	}
	return last
}

// Count lets a map of its own grow in a helper.
func Count(n int) int {
	m := map[int]int{}
	add(m, 100*n) // >map
	return len(m)
}

func add(m map[int]int, n int) {
	for i := range n {
		m[i]++ // map
	}
}

// Index lets a map of its own grow in a helper that it calls for each element.
func Index(n int) int {
	m := map[int]int{}
	for i := range 10 * n {
		put(m, i) // >element
	}
	return len(m)
}

func put(m map[int]int, i int) {
	m[i]++ // element
}
