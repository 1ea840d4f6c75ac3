package kernels

import (
	"strings"
	"testing"
)

var text = []byte(strings.Repeat("the quick brown fox jumps over the lazy dog\n", 24))

var pairs = []struct {
	name        string
	plain, dead func(data []byte) uint64
	data        []byte
}{
	{"adler", func(data []byte) uint64 { return uint64(adlerPlain(data)) }, func(data []byte) uint64 { return uint64(adlerDead(data)) }, text},
	{"search", func(data []byte) uint64 { return uint64(searchPlain(data)) }, func(data []byte) uint64 { return uint64(searchDead(data)) }, text[:64]},
	{"runes", func(data []byte) uint64 { return uint64(runesPlain(data)) }, func(data []byte) uint64 { return uint64(runesDead(data)) }, text},
	{"gcd", func(data []byte) uint64 { return uint64(gcdPlain(data)) }, func(data []byte) uint64 { return uint64(gcdDead(data)) }, text[:128]},
	{"matrix", func(data []byte) uint64 { return uint64(matrixPlain(data)) }, func(data []byte) uint64 { return uint64(matrixDead(data)) }, text[:128]},
	{"insertion", func(data []byte) uint64 { return uint64(insertionPlain(data)) }, func(data []byte) uint64 { return uint64(insertionDead(data)) }, text[:96]},
	{"distance", func(data []byte) uint64 { return uint64(distancePlain(data)) }, func(data []byte) uint64 { return uint64(distanceDead(data)) }, text[:48]},
	{"shift", func(data []byte) uint64 { return uint64(shiftPlain(data)) }, func(data []byte) uint64 { return uint64(shiftDead(data)) }, text[:8]},
	{"words", func(data []byte) uint64 { return uint64(wordsPlain(data)) }, func(data []byte) uint64 { return uint64(wordsDead(data)) }, text},
	{"queens", func(data []byte) uint64 { return uint64(queensPlain(data)) }, func(data []byte) uint64 { return uint64(queensDead(data)) }, text[:1]},
}

func TestBothOfAPairReturnTheSame(t *testing.T) {
	for _, p := range pairs {
		if plain, dead := p.plain(p.data), p.dead(p.data); plain != dead {
			t.Errorf("%s: %d, with dead code %d", p.name, plain, dead)
		}
	}
}

var sum uint64

func BenchmarkKernel(b *testing.B) {
	for _, p := range pairs {
		for _, arm := range []struct {
			way string
			run func([]byte) uint64
		}{{"plain", p.plain}, {"dead", p.dead}} {
			b.Run("kernel="+p.name+"/way="+arm.way, func(b *testing.B) {
				for b.Loop() {
					sum += arm.run(p.data)
				}
			})
		}
	}
}
