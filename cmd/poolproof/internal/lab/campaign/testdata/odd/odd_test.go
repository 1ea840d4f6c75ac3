// Package odd has benchmarks that are hard to judge: operations below a cycle.
package odd

import "testing"

func BenchmarkEmpty(b *testing.B) {
	for _, way := range []string{"way=a", "way=b"} {
		b.Run(way, func(b *testing.B) {
			for range b.N {
			}
		})
	}
}

func BenchmarkNothing(b *testing.B) {
	for _, way := range []string{"way=a", "way=b"} {
		b.Run(way, func(b *testing.B) {})
	}
}

var total int

func BenchmarkAdd(b *testing.B) {
	for _, w := range []struct {
		name string
		n    int
	}{{"way=old", 1}, {"way=new", 3}} {
		b.Run(w.name, func(b *testing.B) {
			for i := range b.N {
				for range w.n {
					total += i
				}
			}
		})
	}
}

func BenchmarkByte(b *testing.B) {
	for _, w := range []struct {
		name string
		n    int
	}{{"way=old", 20000}, {"way=new", 20}} {
		b.Run(w.name, func(b *testing.B) {
			var s []byte
			for i := range b.N {
				if i%w.n == 0 {
					s = make([]byte, 128)
				}
				total += len(s) + i%7
			}
		})
	}
}
