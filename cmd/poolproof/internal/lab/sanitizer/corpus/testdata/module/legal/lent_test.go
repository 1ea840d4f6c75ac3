package legal

import (
	"sync"
	"testing"
)

// The caller goes on with its text.
//
//want:silence
func TestCallersMemoryIsTruncatedBeforePut(t *testing.T) {
	text := []byte("these are five words, perhaps")
	for range 3 {
		if n := Words(text); n != 5 {
			t.Error(n)
		}
		text[0]++
	}
}

// The caller goes on with its entries.
//
//want:silence
func TestEntriesOfACallerAreSent(t *testing.T) {
	work := make(chan *Request)
	defer close(work)
	go Serve(work)
	var entries []*Entry
	for _, key := range []string{"a", "b", "c", "d"} {
		entries = append(entries, &Entry{key: key})
		Send(work, entries)
		for _, e := range entries {
			if !e.written {
				t.Error(e.key)
			}
		}
	}
}

// Each element of a slab is one octet: what points to the first is no array.
//
//want:silence
func TestFlagsOfASlab(t *testing.T) {
	type flag struct{ set bool }
	type level uint8
	flags, bools, levels := make([]flag, 64), make([]bool, 64), make([]level, 64)
	var pool sync.Pool
	pool.Put(&flags[0])
	pool.Put(&bools[0])
	pool.Put(&levels[0])
	for i := 1; i < 64; i++ {
		flags[i].set, bools[i], levels[i] = !flags[i].set, !bools[i], levels[i]+1
	}
	for i := 1; i < 64; i++ {
		if !flags[i].set || !bools[i] || levels[i] != 1 {
			t.Fatal(i)
		}
	}
}
