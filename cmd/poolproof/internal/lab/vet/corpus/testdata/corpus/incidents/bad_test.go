package incidents

import (
	"testing"
	"time"
)

func TestCleanupAndPut(t *testing.T) {
	b := getBuffer()
	t.Cleanup(func() { putBuffer(b) }) // may "PV002"
	b.WriteString("x")
	if b.Len() != 1 {
		t.Fatal(b.Len())
	}
	putBuffer(b) // want "PV002"
}

func TestReadsAfterPut(t *testing.T) {
	h := headers.Acquire()
	h.size = 3
	headers.Release(h)
	if h.size != 0 { // want "PV001"
		t.Error(h.size)
	}
}

func TestTimerStillRuns(t *testing.T) {
	h := headers.Acquire()
	defer headers.Release(h)
	time.AfterFunc(time.Minute, func() { h.size++ }) // want "PV004"
}
