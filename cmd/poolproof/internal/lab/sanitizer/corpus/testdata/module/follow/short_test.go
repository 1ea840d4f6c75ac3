package follow

import (
	"sync"
	"testing"
	"unsafe"
)

// Texts of tests are short, and the allocator packs short arrays into blocks of 16 bytes.

type word struct{ b []byte }

var words = sync.Pool{New: func() any { return new(word) }}

func (w *word) set(text string) { w.b = append(w.b[:0], text...) }

// inTheMiddle returns a word whose array begins in the middle of a block.
func inTheMiddle(text string) *word {
	for {
		w := words.Get().(*word)
		w.set(text)
		if uintptr(unsafe.Pointer(unsafe.SliceData(w.b)))%16 == 8 {
			return w
		}
	}
}

//want:exact read-after-put
func TestAShortArrayInTheMiddleOfABlockIsReadAfterPut(t *testing.T) {
	w := inTheMiddle("four")
	b := w.b
	words.Put(w)
	sink += b[0]
}

//want:exact write-after-put
//want:fast write-after-put
func TestAShortArrayInTheMiddleOfABlockIsWrittenAfterPut(t *testing.T) {
	w := inTheMiddle("eight by")
	b := w.b
	words.Put(w)
	b[7] = 1
}

type letter struct{ b []byte }

func (l *letter) set(text string) { l.b = append(l.b[:0], text...) }

var letters = sync.Pool{New: func() any { return &letter{b: make([]byte, 0, 8)} }}

// Strangers lie in the same blocks, and are used after the Put.
//
//want:silence
func TestStrangersBesideShortArrays(t *testing.T) {
	var flags []*bool
	var numbers []*int32
	var texts [][]byte
	var long []*int64
	for i := range 400 {
		n, f, v := new(int32), new(bool), new(int64)
		l := letters.Get().(*letter)
		l.set("abc")
		l.b = append(make([]byte, 0, 12), l.b...)
		texts = append(texts, append([]byte(nil), "own"...))
		numbers, flags, long = append(numbers, n, new(int32)), append(flags, f), append(long, v)
		*n, *v = int32(i), int64(i)
		letters.Put(l)
	}
	for i := range 400 {
		*flags[i] = true
		*numbers[2*i+1]++
		if int(*numbers[2*i]) != i || int(*long[i]) != i || string(texts[i]) != "own" {
			t.Fatal(i, *numbers[2*i], *long[i], string(texts[i]))
		}
	}
}
