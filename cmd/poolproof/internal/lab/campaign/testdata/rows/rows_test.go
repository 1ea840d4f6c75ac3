// Package rows has 18 ways to spend time. way=new does half as much again of the
// work of way=old, in the same function.
package rows

import (
	"bytes"
	"hash/crc32"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"testing"
)

var words [8192]uint64
var text [8192]byte
var table = map[uint64]uint64{}
var buf [64]uint64
var out [32]byte
var dst = make([]byte, 8192)
var sink []byte
var str string
var digits = "1234567"
var res uint64

func init() {
	x := uint64(88172645463325252)
	for i := range words {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		words[i] = x
		text[i] = byte(x%26) + 97
	}
	for i := range uint64(256) {
		table[i] = i * 3
	}
}

//go:noinline
func kSum(n int) uint64 {
	s := uint64(0)
	for _, x := range words[:n] {
		s += x
	}
	return s
}
func BenchmarkSum(b *testing.B) {
	for _, w := range []struct {
		name string
		n    int
	}{{"way=old", 1280}, {"way=new", 1920}} {
		b.Run(w.name, func(b *testing.B) {
			for b.Loop() {
				res += kSum(w.n)
			}
		})
	}
}

//go:noinline
func kXor(n int) uint64 {
	s := uint64(1)
	for _, x := range words[:n] {
		s = s*31 ^ x
	}
	return s
}
func BenchmarkXor(b *testing.B) {
	for _, w := range []struct {
		name string
		n    int
	}{{"way=old", 1280}, {"way=new", 1920}} {
		b.Run(w.name, func(b *testing.B) {
			for b.Loop() {
				res += kXor(w.n)
			}
		})
	}
}

//go:noinline
func kFNV(n int) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range text[:n] {
		h ^= uint64(c)
		h *= 1099511628211
	}
	return h
}
func BenchmarkFNV(b *testing.B) {
	for _, w := range []struct {
		name string
		n    int
	}{{"way=old", 1280}, {"way=new", 1920}} {
		b.Run(w.name, func(b *testing.B) {
			for b.Loop() {
				res += kFNV(w.n)
			}
		})
	}
}

//go:noinline
func kCount(n int) uint64 {
	s := uint64(0)
	for _, c := range text[:n] {
		if c == 'e' {
			s++
		}
	}
	return s
}
func BenchmarkCount(b *testing.B) {
	for _, w := range []struct {
		name string
		n    int
	}{{"way=old", 1280}, {"way=new", 1920}} {
		b.Run(w.name, func(b *testing.B) {
			for b.Loop() {
				res += kCount(w.n)
			}
		})
	}
}

//go:noinline
func kPop(n int) uint64 {
	s := 0
	for _, x := range words[:n] {
		s += bits.OnesCount64(x)
	}
	return uint64(s)
}
func BenchmarkPop(b *testing.B) {
	for _, w := range []struct {
		name string
		n    int
	}{{"way=old", 1280}, {"way=new", 1920}} {
		b.Run(w.name, func(b *testing.B) {
			for b.Loop() {
				res += kPop(w.n)
			}
		})
	}
}

//go:noinline
func kRev(n int) uint64 {
	s := uint64(0)
	for _, x := range words[:n] {
		s ^= bits.Reverse64(x)
	}
	return s
}
func BenchmarkRev(b *testing.B) {
	for _, w := range []struct {
		name string
		n    int
	}{{"way=old", 1280}, {"way=new", 1920}} {
		b.Run(w.name, func(b *testing.B) {
			for b.Loop() {
				res += kRev(w.n)
			}
		})
	}
}

//go:noinline
func kMap(n int) uint64 {
	s := uint64(0)
	for i := range n {
		s += table[uint64(i&255)]
	}
	return s
}
func BenchmarkMap(b *testing.B) {
	for _, w := range []struct {
		name string
		n    int
	}{{"way=old", 1280}, {"way=new", 1920}} {
		b.Run(w.name, func(b *testing.B) {
			for b.Loop() {
				res += kMap(w.n)
			}
		})
	}
}

//go:noinline
func kSqrt(n int) uint64 {
	s := 0.0
	for i := range n {
		s += math.Sqrt(float64(i))
	}
	return uint64(s)
}
func BenchmarkSqrt(b *testing.B) {
	for _, w := range []struct {
		name string
		n    int
	}{{"way=old", 1280}, {"way=new", 1920}} {
		b.Run(w.name, func(b *testing.B) {
			for b.Loop() {
				res += kSqrt(w.n)
			}
		})
	}
}

//go:noinline
func kSort(n int) uint64 {
	s := uint64(0)
	for i := 0; i < n; i += 64 {
		b := buf[:]
		copy(b, words[i:i+64])
		slices.Sort(b)
		s += b[0]
	}
	return s
}
func BenchmarkSort(b *testing.B) {
	for _, w := range []struct {
		name string
		n    int
	}{{"way=old", 1280}, {"way=new", 1920}} {
		b.Run(w.name, func(b *testing.B) {
			for b.Loop() {
				res += kSort(w.n)
			}
		})
	}
}

//go:noinline
func kItoa(n int) uint64 {
	s := 0
	for i := range n {
		s += len(strconv.AppendInt(out[:0], int64(i)*7919, 10))
	}
	return uint64(s)
}
func BenchmarkItoa(b *testing.B) {
	for _, w := range []struct {
		name string
		n    int
	}{{"way=old", 1280}, {"way=new", 1920}} {
		b.Run(w.name, func(b *testing.B) {
			for b.Loop() {
				res += kItoa(w.n)
			}
		})
	}
}

//go:noinline
func kAtoi(n int) uint64 {
	s := 0
	for range n {
		v, _ := strconv.Atoi(digits)
		s += v
	}
	return uint64(s)
}
func BenchmarkAtoi(b *testing.B) {
	for _, w := range []struct {
		name string
		n    int
	}{{"way=old", 1280}, {"way=new", 1920}} {
		b.Run(w.name, func(b *testing.B) {
			for b.Loop() {
				res += kAtoi(w.n)
			}
		})
	}
}

//go:noinline
func kIndex(n int) uint64 {
	s := 0
	for range n {
		s += bytes.IndexByte(text[:200], 0)
	}
	return uint64(-s)
}
func BenchmarkIndex(b *testing.B) {
	for _, w := range []struct {
		name string
		n    int
	}{{"way=old", 1280}, {"way=new", 1920}} {
		b.Run(w.name, func(b *testing.B) {
			for b.Loop() {
				res += kIndex(w.n)
			}
		})
	}
}

//go:noinline
func kUpper(n int) uint64 {
	s := uint64(0)
	for i, c := range text[:n] {
		if 'a' <= c && c <= 'z' {
			c -= 32
		}
		dst[i] = c
		s += uint64(c)
	}
	return s
}
func BenchmarkUpper(b *testing.B) {
	for _, w := range []struct {
		name string
		n    int
	}{{"way=old", 1280}, {"way=new", 1920}} {
		b.Run(w.name, func(b *testing.B) {
			for b.Loop() {
				res += kUpper(w.n)
			}
		})
	}
}

//go:noinline
func kGcd(n int) uint64 {
	s := uint64(0)
	for i := range n {
		a, b := uint64(i)+600, uint64(360)
		for b > 0 {
			a, b = b, a%b
		}
		s += a
	}
	return s
}
func BenchmarkGcd(b *testing.B) {
	for _, w := range []struct {
		name string
		n    int
	}{{"way=old", 1280}, {"way=new", 1920}} {
		b.Run(w.name, func(b *testing.B) {
			for b.Loop() {
				res += kGcd(w.n)
			}
		})
	}
}

//go:noinline
func kCrc(n int) uint64 {
	s := uint32(0)
	for i := 0; i < n; i += 64 {
		s ^= crc32.ChecksumIEEE(text[i : i+64])
	}
	return uint64(s)
}
func BenchmarkCrc(b *testing.B) {
	for _, w := range []struct {
		name string
		n    int
	}{{"way=old", 1280}, {"way=new", 1920}} {
		b.Run(w.name, func(b *testing.B) {
			for b.Loop() {
				res += kCrc(w.n)
			}
		})
	}
}

//go:noinline
func kAlloc(n int) uint64 {
	s := 0
	for i := range n / 16 {
		b := make([]byte, 64+i%2)
		sink = b
		s += len(b)
	}
	return uint64(s)
}
func BenchmarkAlloc(b *testing.B) {
	for _, w := range []struct {
		name string
		n    int
	}{{"way=old", 1280}, {"way=new", 1920}} {
		b.Run(w.name, func(b *testing.B) {
			for b.Loop() {
				res += kAlloc(w.n)
			}
		})
	}
}

//go:noinline
func kConcat(n int) uint64 {
	s := 0
	for range n / 32 {
		str = digits + string(text[:20])
		s += len(str)
	}
	return uint64(s)
}
func BenchmarkConcat(b *testing.B) {
	for _, w := range []struct {
		name string
		n    int
	}{{"way=old", 1280}, {"way=new", 1920}} {
		b.Run(w.name, func(b *testing.B) {
			for b.Loop() {
				res += kConcat(w.n)
			}
		})
	}
}

//go:noinline
func kCopy(n int) uint64 {
	s := 0
	for range n / 8 {
		s += copy(dst, text[:512])
	}
	return uint64(s)
}
func BenchmarkCopy(b *testing.B) {
	for _, w := range []struct {
		name string
		n    int
	}{{"way=old", 1280}, {"way=new", 1920}} {
		b.Run(w.name, func(b *testing.B) {
			for b.Loop() {
				res += kCopy(w.n)
			}
		})
	}
}
