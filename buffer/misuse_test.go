package buffer

import (
	"fmt"
	"os"
	"time"
	"unsafe"

	"github.com/poolproof/poolproof/internal/gcepoch"
	"github.com/poolproof/poolproof/pool"
)

// misuses is the table of wrong uses, and of a few odd ones, with what happens in
// the normal build, in the normal build under the race detector, and in the
// checked build. Each runs in a process of its own, since some end it.
var misuses = []struct {
	name                  string
	use                   func(p *Pool) string // what it returns is printed
	normal, race, checked outcome
	guard, foreign        outcome // in the checked build with that word in POOLPROOFDEBUG, if it differs
}{
	{
		name:    "Release twice",
		use:     func(p *Pool) string { b := p.Get(100); b.Release(); b.Release(); return "" },
		normal:  panics("released twice", `pool "misused"`),
		race:    panics("released twice"),
		checked: panics("released twice", "it was got at", "given up at", "used again at", "misuse_test.go"),
	},
	{
		name: "Release twice, the header has a new owner",
		use: func(p *Pool) string {
			stale, b := reissue(p)
			meanwhile(func() { stale.Release() }, func() { b.Bytes() })
			if c := p.Get(100); c == b {
				return "two owners"
			}
			return ""
		},
		normal:  ends("two owners"),
		race:    races(),
		checked: panics("released twice", "it was got at"),
	},
	{
		name:    "Get, then Write",
		use:     func(p *Pool) string { leave(p); b := p.Get(100); b.WriteString("text"); return b.String() },
		normal:  panics("WriteString after 100 bytes (of 100 in use) that were not written", `pool "misused"`, "Append"),
		race:    panics("WriteString after 100 bytes"),
		checked: panics("WriteString after 100 bytes"),
	},
	{
		name:    "Get, then WriteTo",
		use:     func(p *Pool) string { leave(p); p.Get(100).WriteTo(os.Stdout); return "" },
		normal:  panics("WriteTo of 100 bytes (of 100 in use) that were not written"),
		race:    panics("WriteTo of 100 bytes"),
		checked: panics("WriteTo of 100 bytes"),
	},
	{
		name: "a copy of a Buffer, released with the original",
		use: func(p *Pool) string {
			b := p.Get(100)
			var c Buffer
			copy(unsafe.Slice(&c, 1), unsafe.Slice(b, 1)) // c = *b, which go vet would see
			b.Release()
			c.Release()
			return owners(p.Get(100).Bytes(), p.Get(100).Bytes())
		},
		normal:  ends("two owners"),
		race:    ends(""),
		checked: panics("Release of a copied Buffer", "misuse_test.go"),
	},
	{
		name:    "Write after Release",
		use:     func(p *Pool) string { b := p.Get(100); b.Release(); b.Write(nil); return "" },
		normal:  panics("Write after Release"),
		race:    panics("Write after Release"),
		checked: panics("Write after Release", "it was got at"),
	},
	{
		name:    "Bytes after Release",
		use:     func(p *Pool) string { b := p.Get(100); b.Release(); b.Bytes(); return "" },
		normal:  panics("Bytes after Release"),
		race:    panics("Bytes after Release"),
		checked: panics("Bytes after Release", "it was got at"),
	},
	{
		name: "Write after Release, the header has a new owner",
		use: func(p *Pool) string {
			stale, b := reissue(p)
			b.Reset()
			meanwhile(func() { stale.WriteString("stale") }, func() { b.Write(make([]byte, 50)) })
			return fmt.Sprintf("length %d", b.Len())
		},
		normal:  ends("length 55"),
		race:    races(),
		checked: panics("WriteString after Release"),
	},
	{
		name: "a slice is written after Release",
		use: func(p *Pool) string {
			b := p.Get(100)
			stale := b.Bytes()
			b.Release()
			stale[7] = 1
			c := sameMemory(p, stale)
			return fmt.Sprint("the new owner reads ", c.b[7])
		},
		normal:  ends("the new owner reads 1"),
		race:    ends(""), // one goroutine: nothing is concurrent
		checked: panics("byte 7 of a buffer of 128 bytes was written after the buffer was given up", "it was got at", "given up at", "the write was found at"),
		guard:   faults(),
	},
	{
		name: "a slice is written after Release, the memory has a new owner",
		use: func(p *Pool) string {
			stale, b := reissueMemory(p)
			meanwhile(func() { stale[7] = 1 }, func() { b.Bytes()[7] = 2 })
			read := fmt.Sprint("the new owner reads ", b.Bytes()[7])
			p.Trim(0) // where the checked build looks, as it does when the test ends
			return read
		},
		normal:  ends("the new owner reads 1"),
		race:    races(),
		checked: panics("byte 7 of a buffer of 128 bytes was written after the buffer was given up", "it was got at", "given up at"),
		guard:   faults(),
	},
	{
		name: "a slice is read after Release",
		use: func(p *Pool) string {
			b := p.Get(100)
			stale := b.Bytes()
			b.Release()
			return fmt.Sprint("reads ", stale[7])
		},
		normal:  ends("reads 0"),
		race:    ends("reads 0"),
		checked: ends("reads 219"), // 0xDB
		guard:   faults(),
	},
	{
		name: "a slice of before Grow is written",
		use: func(p *Pool) string {
			b := p.Get(100)
			stale := b.Bytes()
			b.Grow(1000)
			stale[7] = 1
			return fmt.Sprint("the new owner reads ", sameMemory(p, stale).b[7])
		},
		normal:  ends("the new owner reads 1"),
		race:    ends(""),
		checked: panics("written after the buffer was given up"),
		guard:   faults(),
	},
	{
		name: "a slice of before Grow is written, the memory has a new owner",
		use: func(p *Pool) string {
			for range 1000 {
				b := p.Get(100)
				stale := b.Bytes()
				b.Grow(1000)
				if c := p.Get(100); start(c) == unsafe.SliceData(stale) || checked {
					copy(c.Bytes(), "mine")
					stale[0] = 'X'
					read := fmt.Sprintf("the new owner reads %.4q", c.Bytes())
					p.Trim(0)
					return read
				}
			}
			return "nothing is used again"
		},
		normal:  ends(`the new owner reads "Xine"`),
		race:    ends(`the new owner reads "Xine"`),
		checked: panics("byte 0 of a buffer of 128 bytes was written after the buffer was given up", "it was got at"),
		guard:   faults(),
	},
	{
		name: "never released",
		use: func(*Pool) string {
			p := New(Options{Stats: pool.Leaks})
			forget(p)
			for end := time.Now().Add(30 * time.Second); p.Stats().Lost == 0 && time.Now().Before(end); {
				gcepoch.Collect(1)
			}
			return fmt.Sprintf("lost %d, listed: %s", p.Stats().Lost, p.Leaks())
		},
		normal:  ends("lost 1, listed: []"),
		race:    ends("lost 1, listed: []"),
		checked: ends("lost 1", "already collected, got at", "buffer.forget"),
	},
	{
		name:    "Free of nil",
		use:     func(p *Pool) string { return refusal(p, func() { p.Free(nil) }) },
		normal:  ends("1 refused"),
		race:    ends("1 refused"),
		checked: ends("1 refused"),
		foreign: panics("Free of a slice of length 0"),
	},
	{
		name:    "Free of another's slice",
		use:     func(p *Pool) string { return refusal(p, func() { p.Free(make([]byte, 9, 3000)) }) },
		normal:  ends("1 refused"),
		race:    ends("1 refused"),
		checked: ends("1 refused"),
		foreign: panics("Free of a slice of length 9 and capacity 3000", "misuse_test.go"),
	},
	{
		name:    "Free of a slice with a cut start",
		use:     func(p *Pool) string { return refusal(p, func() { p.Free(p.Bytes(9000)[64:]) }) },
		normal:  ends("1 refused"),
		race:    ends("1 refused"),
		checked: ends("1 refused"),
		foreign: panics("Free of a slice of length 8936"),
	},
	{
		name:    "Free of a slice with a cut capacity",
		use:     func(p *Pool) string { return refusal(p, func() { p.Free(p.Bytes(9000)[:9000:9000]) }) },
		normal:  ends("1 refused"),
		race:    ends("1 refused"),
		checked: ends("1 refused"),
		foreign: panics("Free of a slice of length 9000"),
	},
	{
		name:    "PutPtr of nil",
		use:     func(p *Pool) string { return refusal(p, func() { p.Sized(9000).PutPtr(nil) }) },
		normal:  ends("1 refused"),
		race:    ends("1 refused"),
		checked: ends("1 refused"),
		foreign: panics("PutPtr of a slice of length 0"),
	},
	{
		name: "PutPtr of a slice with a cut start",
		use: func(p *Pool) string {
			return refusal(p, func() {
				x := p.Sized(9000).GetPtr()
				*x = (*x)[4:]
				p.Sized(9000).PutPtr(x)
			})
		},
		normal:  ends("1 refused"),
		race:    ends("1 refused"),
		checked: ends("1 refused"),
		foreign: panics("PutPtr of a slice of length 8996"),
	},
	{
		name: "Free of a part that has the capacity of a class",
		use: func(p *Pool) string {
			b := p.Bytes(128)
			return refusal(p, func() { p.Free(b[64:]) })
		},
		normal:  ends("0 refused"), // nothing in a slice tells
		race:    ends("0 refused"),
		checked: panics("Free of a slice of capacity 64, which is a class, that the pool has not handed out", "misuse_test.go"),
	},
	{
		name: "PutPtr of another's slice that has the capacity of the class",
		use: func(p *Pool) string {
			x := makeAligned(9472)
			return refusal(p, func() { p.Sized(9000).PutPtr(&x) })
		},
		normal:  ends("0 refused"),
		race:    ends("0 refused"),
		checked: panics("PutPtr of a slice of capacity 9472, which is a class, that the pool has not handed out"),
	},
	{
		name: "Free twice",
		use: func(p *Pool) string {
			b := p.Bytes(100)
			p.Free(b)
			p.Free(b)
			return owners(p.Bytes(100), p.Bytes(100))
		},
		normal:  ends("two owners"),
		race:    ends(""), // by chance: the pool drops some
		checked: panics("Free of a slice that was given back before", "given back first at", "and again at", "misuse_test.go"),
	},
	{
		name: "PutPtr twice",
		use: func(p *Pool) string {
			s := p.Sized(100)
			x := s.GetPtr()
			s.PutPtr(x)
			s.PutPtr(x)
			return owners(*s.GetPtr(), *s.GetPtr())
		},
		normal:  ends("two owners"),
		race:    ends(""),
		checked: panics("PutPtr of a slice that was given back before", "given back first at"),
	},
	{
		name: "Free of a Buffer's bytes",
		use: func(p *Pool) string {
			b := p.Get(128)
			return refusal(p, func() { p.Free(b.Bytes()) })
		},
		normal:  ends("0 refused"), // 128 bytes are a whole class
		race:    ends("0 refused"),
		checked: panics("Free of a slice of capacity 128, which is a class, that the pool has not handed out"),
	},
	{
		name:    "Get of a negative size",
		use:     func(p *Pool) string { p.Get(-1); return "" },
		normal:  panics("Get(-1): the size is negative"),
		race:    panics("Get(-1): the size is negative"),
		checked: panics("Get(-1): the size is negative"),
	},
	{
		name:    "Get of no bytes",
		use:     func(p *Pool) string { return fmt.Sprint("length ", p.Get(0).Len()) },
		normal:  ends("length 0"),
		race:    ends("length 0"),
		checked: ends("length 0"),
	},
	{
		name: "Get above Max",
		use: func(p *Pool) string {
			b := p.Get(2 << 20)
			b.Release()
			c := p.Get(2 << 20)
			return fmt.Sprintf("length %d, oversize %d, used again %t", c.Len(), p.Stats().Oversize, start(c) == start(b))
		},
		normal:  ends("length 2097152, oversize 2, used again false"),
		race:    ends("length 2097152, oversize 2, used again false"),
		checked: ends("length 2097152, oversize 2, used again false"),
	},
	{
		name:    "use after Take",
		use:     func(p *Pool) string { b := p.Get(100); b.Take(); b.Release(); return "" },
		normal:  panics("Release after Take"),
		race:    panics("Release after Take"),
		checked: panics("Release after Take", "it was got at"),
	},
	{
		name:    "use after Share",
		use:     func(p *Pool) string { b := filled(p, 100); b.Share(); b.Bytes(); return "" },
		normal:  panics("Bytes after Share"),
		race:    panics("Bytes after Share"),
		checked: panics("Bytes after Share", "it was got at"),
	},
	{
		name: "use of the Buffer after Share and Own",
		use: func(p *Pool) string {
			b := filled(p, 100)
			c := b.Share().Own()
			b.Release()
			return fmt.Sprint("one header: ", b == c)
		},
		normal:  ends("one header: true"),
		race:    ends("one header: true"),
		checked: panics("Release after Share", "it was got at"),
	},
	{
		name: "the bytes of a Shared are written",
		use: func(p *Pool) string {
			b := p.Append()
			b.WriteString("for all")
			s := b.Share()
			other := s.Retain()
			other.Bytes()[0] = 'F' //poolproof:ignore what the checked build must see
			other.Release()
			defer s.Release()
			return string(s.Bytes())
		},
		normal:  ends("For all"),
		race:    ends("For all"), // one goroutine: nothing is concurrent
		checked: panics("Release of a Shared whose bytes were written after Share", "it was shared at", "the write was found at", "misuse_test.go"),
	},
	{
		name: "the bytes of a Shared are written through a slice from before, and the last owner takes them",
		use: func(p *Pool) string {
			b := p.Get(7)
			before := b.Bytes()
			copy(before, "for all")
			s := b.Share().Slice(4, 7)
			before[0] = 'F' //poolproof:ignore what the checked build must see
			own := s.Own()
			defer own.Release()
			return own.String()
		},
		normal:  ends("all"),
		race:    ends("all"),
		checked: panics("Own of a Shared whose bytes were written after Share"),
	},
	{
		name:    "a Shared released twice",
		use:     func(p *Pool) string { s := filled(p, 100).Share(); s.Retain(); s.Release(); s.Release(); return "" },
		normal:  panics("Release of a Shared that was given up by Release or Own"),
		race:    panics("Release of a Shared that was given up by Release or Own"),
		checked: panics("Release of a Shared that was given up by Release or Own", "it was got at", "given up at"),
	},
	{
		name: "a Shared released twice, the handle has a new owner",
		use: func(p *Pool) string {
			for range 1000 {
				s := filled(p, 100).Share()
				s.Release()
				if other := filled(p, 100).Share(); checked || other == s {
					meanwhile(func() { s.Release() }, func() { other.Retain() })
					return fmt.Sprint("released the other's reference: ", other.buffer == nil)
				}
			}
			return "never"
		},
		normal:  ends("released the other's reference: true"),
		race:    races(),
		checked: panics("Release of a Shared that was given up by Release or Own", "it was got at"),
	},
	{
		name: "Fill's function writes more than it says",
		use: func(p *Pool) string {
			b := p.Sized(1000).Get()
			b.Fill(func(x []byte) (int, error) { return copy(x, canaries(300)) - 100, nil })
			b.Release()
			return ""
		},
		normal:  ends(""),
		race:    ends(""),
		checked: panics("byte 200 of a buffer of 1024 bytes was written although it was not handed out for writing", "Fill"),
	},
	{
		name: "Fill's function writes more than it says, the memory has a new owner",
		use: func(p *Pool) string {
			b := p.Sized(1000).Get()
			b.Fill(func(x []byte) (int, error) { return copy(x, canaries(300)) - 100, nil })
			b.Release()
			c := p.Sized(1000).Get()
			return fmt.Sprint("reads ", c.Bytes()[250])
		},
		normal:  ends("reads 0"),
		race:    ends("reads 0"),
		checked: panics("byte 200 of a buffer of 1024 bytes was written"),
	},
	{
		name: "Fill's function writes less than it says",
		use: func(p *Pool) string {
			leave(p)
			b := p.Get(100)
			b.Fill(func(x []byte) (int, error) { return copy(x, "abc") + 9, nil })
			return fmt.Sprintf("%.12q", b.String())
		},
		normal:  ends(`"abc`), // and what another owner left
		race:    ends(`"abc`),
		checked: panics("said that it had written 12 bytes, and has not written the last 9"),
	},
	{
		name:    "a Buffer that no pool handed out",
		use:     func(p *Pool) string { new(Buffer).Release(); return "" },
		normal:  panics("Release of a Buffer that no pool has handed out"),
		race:    panics("Release of a Buffer that no pool has handed out"),
		checked: panics("Release of a Buffer that no pool has handed out"),
	},
}
