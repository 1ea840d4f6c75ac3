// Package itself has a dozen benchmarks to compare with themselves.
package itself

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

var text = strings.Repeat("The quick brown fox jumps over the lazy dog, and runs. ", 40)
var sink any
var words []string

func BenchmarkFields(b *testing.B) {
	for b.Loop() {
		words = strings.Fields(text)
	}
}

type node struct {
	l, r *node
	v    [4]int
}

func tree(d int) *node {
	if d == 0 {
		return &node{}
	}
	return &node{l: tree(d - 1), r: tree(d - 1)}
}

func BenchmarkAlloc(b *testing.B) {
	for b.Loop() {
		sink = tree(8)
	}
}

func BenchmarkChan(b *testing.B) {
	in, out := make(chan int), make(chan int)
	go func() {
		for v := range in {
			out <- v + 1
		}
		close(out)
	}()
	for b.Loop() {
		in <- 1
		<-out
	}
	close(in)
}

func BenchmarkMutex(b *testing.B) {
	var mu sync.Mutex
	n := 0
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			mu.Lock()
			n++
			mu.Unlock()
		}
	})
}

func BenchmarkAtomic(b *testing.B) {
	var n atomic.Int64
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			n.Add(1)
		}
	})
}

func BenchmarkSprintf(b *testing.B) {
	for b.Loop() {
		sink = fmt.Sprintf("%s is %d and %v", "abc", 12345, 3.25)
	}
}

func BenchmarkMap(b *testing.B) {
	m := map[int]int{}
	for i := range 10000 {
		m[i*7919] = i
	}
	i, s := 0, 0
	for b.Loop() {
		s += m[i%10000*7919]
		i++
	}
	sink = s
}

func BenchmarkFlate(b *testing.B) {
	w, _ := flate.NewWriter(io.Discard, 6)
	data := []byte(text)
	for b.Loop() {
		w.Reset(io.Discard)
		w.Write(data)
		w.Close()
	}
}

func BenchmarkJSON(b *testing.B) {
	type item struct {
		Name string
		Age  int
		Tags []string
	}
	items := slices.Repeat([]item{{"Ann", 31, []string{"x", "y"}}}, 20)
	for b.Loop() {
		d, err := json.Marshal(items)
		if err != nil {
			b.Fatal(err)
		}
		sink = d
	}
}

func BenchmarkSort(b *testing.B) {
	src := make([]int, 512)
	x := uint32(1)
	for i := range src {
		x = x*1664525 + 1013904223
		src[i] = int(x >> 8)
	}
	buf := make([]int, len(src))
	for b.Loop() {
		copy(buf, src)
		slices.Sort(buf)
	}
}

func BenchmarkRegexp(b *testing.B) {
	re := regexp.MustCompile(`(fox|dog)[,. ]+(\w+)`)
	for b.Loop() {
		sink = re.FindAllStringIndex(text, -1)
	}
}

func BenchmarkBuffer(b *testing.B) {
	for b.Loop() {
		var buf bytes.Buffer
		for range 20 {
			buf.WriteString(text[:200])
		}
		sink = buf.Len()
	}
}
