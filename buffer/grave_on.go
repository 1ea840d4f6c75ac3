//go:build poolproofdebug

package buffer

import (
	"bytes"
	"fmt"
	"slices"
	"sync"

	"github.com/poolproof/poolproof/internal/ledger"
)

// A grave holds so much memory of one class and form at most, and hands none out
// until graveDepth others have followed it: memory that has a new owner at once
// would hide a late write, and hand the new owner's data to a late reader. Of large
// classes fewer have to follow, as many as graveBytes hold, at least one.
const (
	graveItems = 64
	graveBytes = 4 << 20
)

// graveDepth is a constant but for tests of what comes back.
var graveDepth = 8

// depth returns how many must have followed before memory of c is handed out.
func depth(c *class) int {
	if guarded {
		return graveDepth
	}
	return min(graveDepth, max(1, graveBytes/c.size))
}

// poison fills memory that waits, zeros fills it where it must be clear before.
var poison, zeros [4096]byte

func init() {
	for i := range poison {
		poison[i] = 0xDB
	}
}

// fill fills m with poison.
func fill(m []byte) {
	for len(m) > 0 {
		m = m[copy(m, poison[:]):]
	}
}

// differs returns the position of the first byte of m that is not as in fill,
// which holds the same byte throughout, or -1. It goes in blocks, because the
// race detector looks at each byte of a loop.
func differs(m []byte, fill *[4096]byte) int {
	for at := 0; at < len(m); at += len(fill) {
		block := m[at:min(at+len(fill), len(m))]
		if bytes.Equal(block, fill[:len(block)]) {
			continue
		}
		return at + slices.IndexFunc(block, func(x byte) bool { return x != fill[0] })
	}
	return -1
}

// grave is the memory that waits of one class in one form, in the order in which
// it came back.
type grave struct {
	mu    sync.Mutex
	items []buried
}

type buried struct {
	memory []byte
	entry  ledger.Entry
}

// push lets m wait. entry tells who had it. What has waited longest makes room.
func (g *grave) push(c *class, m []byte, entry ledger.Entry) {
	if c.zero >= ZeroUsed {
		if at := differs(m, &zeros); at >= 0 {
			panic(fmt.Sprintf("%sbyte %d of a buffer of %d bytes was written although it was not handed out for writing (has a function given to Fill written more than it said?)\n\nit was got at\n%s\nand given up at\n%s",
				c.set.pool.prefix(), at, len(m), entry.Got, entry.Put))
		}
	}
	fill(m)
	if guarded {
		protect(m, true)
	}
	g.mu.Lock()
	g.items = append(g.items, buried{m, entry})
	var out buried
	if n := len(g.items); n > 1 && (n > graveItems || n*c.size > graveBytes) && n > depth(c) {
		out = g.shift()
	}
	g.mu.Unlock()
	if out.memory != nil {
		out.verify(c)
		if guarded {
			unmap(out.memory)
		}
	}
}

// pop returns memory that waits, in the state that the pool promises, or nil. It
// panics if the memory was written meanwhile.
func (g *grave) pop(c *class) []byte {
	g.mu.Lock()
	stays := len(g.items) <= depth(c)
	if stays && (len(g.items) == 0 || guarded || differs(g.items[0].memory, &poison) < 0) {
		g.mu.Unlock()
		return nil
	}
	out := g.shift()
	g.mu.Unlock()
	out.verify(c) // panics if it would have stayed: the sooner a write is found the better
	if c.zero >= ZeroUsed {
		clear(out.memory)
	}
	return out.memory
}

// shift removes what has waited longest. The caller holds mu.
func (g *grave) shift() buried {
	out := g.items[0]
	rest := copy(g.items, g.items[1:])
	g.items[rest] = buried{}
	g.items = g.items[:rest]
	return out
}

// verify makes the memory accessible and panics if it was written.
func (b *buried) verify(c *class) {
	if guarded {
		protect(b.memory, false)
	}
	if at := differs(b.memory, &poison); at >= 0 {
		panic(fmt.Sprintf("%sbyte %d of a buffer of %d bytes was written after the buffer was given up\n\nit was got at\n%s\ngiven up at\n%s\nand the write was found at\n%s",
			c.set.pool.prefix(), at, len(b.memory), b.entry.Got, b.entry.Put, ledger.Here()))
	}
}

// written is Pool.written for one class and form.
func (g *grave) written() (found []ledger.Written) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, b := range g.items {
		if differs(b.memory, &poison) >= 0 {
			found = append(found, ledger.Written{Entry: b.entry})
			fill(b.memory)
		}
	}
	return found
}

// trim is class.trimKept for one form.
func (g *grave) trim(c *class, left *int64) (dropped int64) {
	g.mu.Lock()
	items := g.items
	g.items = nil
	g.mu.Unlock()
	var kept []buried
	for _, b := range items {
		b.verify(c)
		switch size := int64(c.size); {
		case *left >= size:
			*left -= size
			kept = append(kept, b)
			if guarded {
				protect(b.memory, true)
			}
		default:
			dropped += size
			if guarded {
				unmap(b.memory)
			}
		}
	}
	g.mu.Lock()
	g.items = append(kept, g.items...)
	g.mu.Unlock()
	return dropped
}
