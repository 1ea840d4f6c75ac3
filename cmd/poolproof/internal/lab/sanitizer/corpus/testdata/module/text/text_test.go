// Package text holds strings that alias pooled bytes. The compiler takes the
// bytes of a string as constant, so that reading them is not instrumented.
package text

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"unsafe"
)

var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 64); return &b }}

// borrow returns a text whose bytes are in the pool.
func borrow(text string) string {
	b := buffers.Get().(*[]byte)
	defer buffers.Put(b)
	*b = append((*b)[:0], text...)
	return unsafe.String(unsafe.SliceData(*b), len(*b))
}

var (
	number int
	joined string
	octets []byte
)

// A map is asked with a stale string.
//
//want:exact read-after-put
//want:fast read-after-put
func TestMapIsAskedWithAStaleString(t *testing.T) {
	sessions := map[string]int{"alice": 1}
	number = sessions[borrow("alice")]
}

// A map keeps a stale string as its key: the classic of zero-copy servers.
//
//want:exact read-after-put
//want:fast read-after-put
func TestMapKeepsAStaleKey(t *testing.T) {
	sessions := map[string]int{}
	sessions[borrow("bob")]++
	for name := range sessions {
		if name != "bob" {
			t.Error("the key is", name)
		}
	}
}

// A stale string is deleted from a map.
//
//want:exact read-after-put
//want:fast read-after-put
func TestStaleKeyIsDeleted(t *testing.T) {
	sessions := map[string]int{"carol": 1}
	delete(sessions, borrow("carol"))
}

// Strings are joined by +.
//
//want:exact read-after-put
//want:fast read-after-put
func TestStaleStringIsConcatenated(t *testing.T) {
	name := borrow("dave")
	joined = "hello, " + name
}

// A conversion copies the stale bytes.
//
//want:exact read-after-put
//want:fast read-after-put
func TestStaleStringIsConverted(t *testing.T) {
	octets = []byte(borrow("a text that is longer than the thirty-two octets of a stack buffer"))
}

// Builder.WriteString appends from the stale string.
//
//want:exact read-after-put
func TestStaleStringIsAppended(t *testing.T) {
	var out strings.Builder
	out.Grow(64)
	out.WriteString(borrow("erin"))
	joined = out.String()
}

// Comparing strings is assembly: nobody sees it, but the bytes are no longer
// what they were, and the test fails by itself.
//
//want:exact poison
//want:fast poison
func TestStaleStringIsCompared(t *testing.T) {
	if name := borrow("frank"); name != "frank" {
		t.Error("it is another name")
	}
}

// Searching bytes is assembly.
//
//want:exact poison
//want:fast poison
func TestStaleBytesAreSearched(t *testing.T) {
	b := buffers.Get().(*[]byte)
	*b = append((*b)[:0], "key=value"...)
	line := *b
	buffers.Put(b)
	if i := bytes.IndexByte(line, '='); i != 3 {
		t.Error("the sign is at", i)
	}
}

// The text of a map key is made of stale bytes on the way: string(b) in an
// index expression does not copy.
//
//want:exact read-after-put
//want:fast read-after-put
func TestStaleBytesAreAKey(t *testing.T) {
	b := buffers.Get().(*[]byte)
	*b = append((*b)[:0], "grace"...)
	name := *b
	buffers.Put(b)
	number = map[string]int{"grace": 1}[string(name)]
}
