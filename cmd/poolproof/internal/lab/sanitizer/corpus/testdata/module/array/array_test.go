package array

import (
	"sort"
	"testing"
)

var (
	octet  byte
	number int
	real   float64
)

// A window of the array that New made is returned.
//
//want:exact read-after-put
func TestArrayFromNewIsReturned(t *testing.T) {
	if b := Encode("text"); b[0] != 't' {
		t.Log("the text has changed")
	}
}

//want:exact write-after-put
//want:fast write-after-put
func TestArrayFromNewIsWrittenAfterPut(t *testing.T) { EncodeKept("late") }

// Two results of one pool: what the first user got is the second's.
//
//want:exact read-after-put
func TestFirstResultIsReadAfterTheSecondWasMade(t *testing.T) {
	first, second := Encode("first"), Encode("later")
	if first[0] != 'f' || second[0] != 'l' {
		t.Error("the results are", first, second)
	}
}

// The array grew in use; that the code truncates it in place shows whose it is.
//
//want:exact read-after-put
func TestArrayThatGrewIsReturned(t *testing.T) {
	b := Build("one ", "two ", "three ", "and so on until the array has moved more than once")
	octet = b[len(b)-1]
}

//want:exact write-after-put
//want:fast write-after-put
func TestArrayThatGrewIsWrittenAfterPut(t *testing.T) {
	b := Build("some text that is changed in place")
	b[0] = 'S'
}

// The same in a nested struct.
//
//want:exact read-after-put
func TestArrayOfANestedStructIsReturned(t *testing.T) {
	for _, m := range Marks(40) {
		number += m
	}
}

// Sorting reads; what poison has made equal it does not move.
//
//want:exact read-after-put write-after-put?
func TestArrayIsSortedAfterPut(t *testing.T) {
	marks := Marks(20)
	sort.Slice(marks, func(i, j int) bool { return marks[i] > marks[j] })
}

// Reading, changing, writing.
//
//want:exact read-after-put write-after-put
//want:fast write-after-put
func TestArrayIsScaledAfterPut(t *testing.T) {
	marks := Marks(20)
	for i := range marks {
		marks[i] *= 2
	}
}

// append to a field cut to nothing truncates it as well; elements are strings.
//
//want:exact read-after-put
func TestArrayOfStringsIsReturned(t *testing.T) {
	number = len(Split("fields")[1])
}

// A child array that New made is returned.
//
//want:exact read-after-put
func TestChildArrayIsReturned(t *testing.T) { real = Cells()[0] }

// A child struct that New made is returned.
//
//want:exact write-after-put
//want:fast write-after-put
func TestChildIsWrittenAfterPut(t *testing.T) { Shape().rows = 5 }

// The struct was copied, its array was not.
//
//want:exact read-after-put
func TestCopyOfTheStructSharesTheArray(t *testing.T) {
	e := Copied("text")
	octet = e.out[e.n-1]
}
