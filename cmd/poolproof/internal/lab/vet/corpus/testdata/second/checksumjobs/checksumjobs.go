// Package checksumjobs computes checksums with some workers.
package checksumjobs

import (
	"hash/crc32"
	"sync"
)

type task struct {
	data []byte
	sum  uint32
	done chan struct{}
}

var tasks = sync.Pool{New: func() any { return &task{done: make(chan struct{}, 1)} }}

// Pool has workers.
type Pool struct{ ch chan *task }

// Start starts n workers.
func Start(n int) *Pool {
	p := &Pool{ch: make(chan *task)}
	for range n {
		go func() {
			for t := range p.ch {
				t.sum = crc32.ChecksumIEEE(t.data)
				t.done <- struct{}{}
			}
		}()
	}
	return p
}

// Sum returns the checksum of data.
func (p *Pool) Sum(data []byte) uint32 {
	t := tasks.Get().(*task)
	t.data = data
	p.ch <- t
	<-t.done
	sum := t.sum
	t.data = nil
	tasks.Put(t)
	return sum
}
