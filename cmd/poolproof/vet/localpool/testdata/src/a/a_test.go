package a

import (
	"sync"
	"testing"
)

func TestPool(t *testing.T) {
	var p sync.Pool
	p.Put(p.Get())
}
