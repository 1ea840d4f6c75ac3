package mdnsreceive

import (
	"testing"
	"time"
)

func TestALimitEndsItsContextAndIsExtended(t *testing.T) {
	l := newLimit()
	defer l.end()
	l.extend()
	first := l.context()
	if first.Err() != nil {
		t.Fatal("the limit ended at once")
	}
	l.state.timer.Reset(0)
	select {
	case <-first.Done():
	case <-time.After(30 * time.Second):
		t.Fatal("the limit does not end")
	}
	l.extend()
	if l.context().Err() != nil {
		t.Error("the limit cannot be extended after its end")
	}
}
