package stale

import (
	"testing"

	"github.com/poolproof/poolproof/hotswap"
)

func TestAPointerKeptAfterRelease(t *testing.T) {
	p := hotswap.NewPool(hotswap.Options[Page]{New: func() *Page { return new(Page) }})
	c := hotswap.New(p)
	if err := write(p, c, 1); err != nil {
		t.Fatal(err)
	}
	_, kept := Read(c)
	written := make(chan error, 3)
	go func() {
		for n := range uint64(3) {
			written <- write(p, c, n+2)
		}
	}()
	t.Logf("the kept page has %d", kept.N) // races with the writer
	for range 3 {
		if err := <-written; err != nil {
			t.Error(err)
		}
	}
}

// The same in turns, by one goroutine: no race.
func TestInTurns(t *testing.T) {
	p := hotswap.NewPool(hotswap.Options[Page]{New: func() *Page { return new(Page) }})
	c := hotswap.New(p)
	if err := write(p, c, 1); err != nil {
		t.Fatal(err)
	}
	_, kept := Read(c)
	for n := range uint64(3) {
		if err := write(p, c, n+2); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("the kept page has %d", kept.N)
}
