package drawn

import (
	"strings"
	"testing"
)

var text = []byte(strings.Repeat("sphinx of black quartz, judge my vow\nhow vexingly quick daft zebras jump\n", 16))

var pairs = []struct {
	name        string
	plain, dead func(data []byte) uint64
	data        []byte
}{
	{"scan", scanPlain, scanDead, text},
	{"lookup", lookupPlain, lookupDead, text[:256]},
	{"bits", bitsPlain, bitsDead, text[:256]},
	{"fnv", fnvPlain, fnvDead, text},
	{"shell", shellPlain, shellDead, text[:96]},
	{"states", statesPlain, statesDead, text},
	{"numbers", numbersPlain, numbersDead, text},
	{"crc", crcPlain, crcDead, text},
	{"horner", hornerPlain, hornerDead, text[:128]},
	{"escape", escapePlain, escapeDead, text[:64]},
	{"sieve", sievePlain, sieveDead, text[:8]},
	{"match", matchPlain, matchDead, text[:128]},
}

func TestBothOfAPairReturnTheSame(t *testing.T) {
	for _, p := range pairs {
		if plain, dead := p.plain(p.data), p.dead(p.data); plain != dead {
			t.Errorf("%s: %d, with dead code %d", p.name, plain, dead)
		}
	}
	sum += fnvAbove(text) + matchAbove(text) + crcAbove(text)
}

var sum uint64

func BenchmarkDrawn(b *testing.B) {
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
