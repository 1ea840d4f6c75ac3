package oas

import (
	"encoding/binary"
	"hash/maphash"
)

// slot is a place of the table of keys. It is free unless its round is that of
// the object that is looked at, so that the table need not be cleared for each.
type slot struct{ round, key uint32 }

// seed is new in each process, so that no source can be made whose keys all
// have the same hash.
var seed = maphash.MakeSeed()

// bitOf returns one of 64 bits for a key with its quotes, by its length and its
// first and last bytes. Two keys of an object that have different bits need not be
// compared, and most have.
func bitOf(key []byte) uint64 {
	h := uint32(len(key))
	if len(key) >= 4 {
		h += binary.LittleEndian.Uint32(key) + 3*binary.LittleEndian.Uint32(key[len(key)-4:])
	} else {
		h += uint32(key[1])
	}
	return 1 << (h * 0x9e3779b1 >> 26)
}

// fewKeys is up to how many keys are compared in pairs.
const fewKeys = 8

// duplicate returns the first node whose key an elder sibling has too, or 0.
// Keys are compared without their escapes: "a" is the same as "\u0061".
func (p *parser) duplicate(first, count uint32, escaped bool) uint32 {
	if count <= fewKeys && !escaped {
		return p.duplicateOfFew(first)
	}
	size := uint32(16)
	for size <= 2*count {
		size *= 2
	}
	if uint32(len(p.table)) < size {
		p.table = make([]slot, size)
		p.round = 0
	}
	if p.round++; p.round == 0 { // it has wrapped: every old slot looks free or taken by chance
		clear(p.table)
		p.round = 1
	}
	mask := uint32(len(p.table)) - 1
	for at := first; at != 0; at = p.nodes[at].next {
		var key []byte
		key, p.plain = p.keyOf(at, p.plain)
		for h := uint32(maphash.Bytes(seed, key)) & mask; ; h = (h + 1) & mask {
			if p.table[h].round != p.round {
				p.table[h] = slot{p.round, at}
				break
			}
			var same []byte
			same, p.other = p.keyOf(p.table[h].key, p.other)
			if string(same) == string(key) {
				return at
			}
		}
	}
	return 0
}

func (p *parser) duplicateOfFew(first uint32) uint32 {
	var seen [fewKeys][]byte
	n := 0
	for at := first; at != 0; {
		x := &p.nodes[at]
		key := p.text[x.keyOff-p.base:][:x.keyLen]
		for _, elder := range seen[:n] {
			if len(elder) == len(key) && string(elder) == string(key) {
				return at
			}
		}
		seen[n] = key
		n++
		at = x.next
	}
	return 0
}

// keyOf returns a key without quotes and escapes, in scratch if it has some.
func (p *parser) keyOf(at uint32, scratch []byte) (key, kept []byte) {
	x := &p.nodes[at]
	text := p.text[x.keyOff-p.base:][:x.keyLen]
	if x.flags&keyEscaped == 0 {
		return text[1 : len(text)-1], scratch
	}
	scratch = appendUnescaped(scratch[:0], text)
	return scratch, scratch
}
