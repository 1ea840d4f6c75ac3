package legal

import "testing"

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
