// Package odd has benchmarks that are hard to judge: operations below a cycle, state that
// is kept from burst to burst.
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

// One way's map grows from call to call, up to a million keys; the other way's has a
// thousand.
func BenchmarkKept(b *testing.B) {
	for _, w := range []struct {
		name string
		keys int
	}{{"way=old", 1 << 10}, {"way=new", 1 << 20}} {
		m, n := map[int]int{}, 0
		b.Run(w.name, func(b *testing.B) {
			for b.Loop() {
				m[n*7919%w.keys]++
				n++
			}
		})
	}
}

// One way keeps what it has worked out: it is dearer until its process has seen all, and
// half as dear from then on.
func BenchmarkMemo(b *testing.B) {
	const inputs = 1 << 14
	work := func(x, steps int) int {
		for range steps {
			x = x*1664525 + 1013904223
		}
		return x
	}
	b.Run("way=old", func(b *testing.B) {
		for i := range b.N {
			total += work(i%inputs, 1000)
		}
	})
	var known [inputs]int
	b.Run("way=new", func(b *testing.B) {
		for i := range b.N {
			k := i % inputs
			if known[k] == 0 {
				known[k] = work(k, 3000) | 1
			}
			total += work(known[k], 500)
		}
	})
}
