// Package aims has pairs that a small budget should decide: garbage under a memory
// limit, operations of seconds, twice the work.
package aims

import (
	"testing"
	"time"
)

var sink []byte
var keep [][]byte

// A loss under GOGC=off GOMEMLIMIT=40MiB: fresh memory for each operation in place of one buffer.
func limit(b *testing.B, size, work int) {
	for _, way := range []string{"reuse", "fresh"} {
		b.Run("way="+way, func(b *testing.B) {
			buf := make([]byte, size)
			keep = nil
			for range 20 {
				keep = append(keep, make([]byte, 1<<20))
			}
			n := 0
			for b.Loop() {
				if way == "fresh" {
					sink = make([]byte, size)
				} else {
					sink = buf
				}
				for i := range work {
					n += int(sink[i*64%size])
				}
			}
			if n == 1 {
				b.Log(n)
			}
		})
	}
}

func BenchmarkLimitSmall(b *testing.B) { limit(b, 512, 40) }
func BenchmarkLimitMid(b *testing.B)   { limit(b, 16<<10, 1200) }
func BenchmarkLimitLarge(b *testing.B) { limit(b, 256<<10, 12000) }

func BenchmarkSlow(b *testing.B) {
	for _, w := range []struct {
		name string
		d    time.Duration
	}{{"way=old", 2000 * time.Millisecond}, {"way=new", 1500 * time.Millisecond}} {
		b.Run(w.name, func(b *testing.B) {
			for b.Loop() {
				time.Sleep(w.d)
			}
		})
	}
}

func BenchmarkTwice(b *testing.B) {
	for _, w := range []struct {
		name string
		n    int
	}{{"way=old", 1000}, {"way=new", 2000}} {
		b.Run(w.name, func(b *testing.B) {
			x := uint64(1)
			for b.Loop() {
				for range w.n {
					x ^= x << 13
					x ^= x >> 7
					x ^= x << 17
				}
			}
			if x == 0 {
				b.Log(x)
			}
		})
	}
}
