package buffer

import (
	"reflect"
	"testing"
)

// What Release does is a field of the header, so it must not outlive the use that
// it was set for.
func TestABufferOfAppendThatWasSharedTeachesOnce(t *testing.T) {
	p := New(Options{})
	b := p.Append().Share().Own()
	if got, want := reflect.ValueOf(b.put).Pointer(), reflect.ValueOf(b.home.door).Pointer(); got != want {
		t.Error("its next Release teaches Append again")
	}
	b.Release()
}

func TestTrimCountsNoMiss(t *testing.T) {
	normalBuild(t, "keeps memory elsewhere")
	p := New(Options{})
	b := p.Get(100)
	p.Get(100).Release()
	p.Trim(0)
	if got := p.Stats().Misses; got != 2 {
		t.Errorf("%d misses after two Gets and a Trim, want 2", got)
	}
	b.Release()
}
