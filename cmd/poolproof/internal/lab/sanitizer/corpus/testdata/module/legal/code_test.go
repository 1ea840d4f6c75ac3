package legal

import (
	"runtime"
	"testing"
	"time"
)

// The caller's memory is the caller's, before and after.
//
//want:silence
func TestCallersMemoryIsLeftDangling(t *testing.T) {
	input := []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	for i := range 5 {
		input[0] = byte(i)
		if sum := Decode(input); sum != 54+i {
			t.Fatal(sum)
		}
		input[9] = 10
	}
	if text := Encode("text"); string(text) != "text" {
		t.Error(string(text))
	}
}

//want:silence
func TestCallersMemoryIsLeftAsAnEmptyWindow(t *testing.T) {
	data := make([]byte, 100)
	for i := range 5 {
		data[i] = byte(i)
		if n := Compress(data); n != 100 {
			t.Fatal(n)
		}
		data[99] = data[i]
	}
}

//want:silence
func TestResultsAliasAnArrayThatGetReplaces(t *testing.T) {
	first := Texts("one", "two")
	second := Texts("three")
	if string(first[0])+string(first[1])+string(second[0]) != "onetwothree" {
		t.Error(first, second)
	}
	first[0][0] = 'O'
}

//want:silence
func TestTableIsShared(t *testing.T) {
	if Tokenize("some text") != 9 || Tokenize("more") != 4 {
		t.Error("wrong count")
	}
	table['s']++
}

//want:silence
func TestArrayIsDetachedBeforePut(t *testing.T) {
	first := Render("first page")
	second := Render("second page")
	first[0], second[0] = 'F', 'S'
	if string(first) != "First page" || string(second) != "Second page" {
		t.Error(string(first), string(second))
	}
}

//want:silence
func TestArrayOfABufferIsStolen(t *testing.T) {
	first, second := Steal("first"), Steal("second")
	first[0], second[0] = 'F', 'S'
	if string(first) != "First" || string(second) != "Second" {
		t.Error(string(first), string(second))
	}
}

//want:silence
func TestCallersBufferIsFilledOverAndOver(t *testing.T) {
	dst := make([]byte, 32)
	for i := range 20 {
		Into(dst, byte(i))
		if dst[31] != byte(i) {
			t.Fatal(dst)
		}
	}
}

//want:silence
func TestErrorPathDrops(t *testing.T) {
	for _, text := range []string{"a", "", "b", ""} {
		if err := Check(text); (err != nil) != (text == "") {
			t.Error(err)
		}
	}
}

// A worker that the next user joins is a hint, not an error.
//
//want:exact own-worker?
//want:fast own-worker?
func TestWorkerGoesOnAfterPut(t *testing.T) {
	for range 3 {
		Background(10)
	}
	time.Sleep(5 * time.Millisecond) // for the last worker
	runtime.GC()
}
