// Package imageworkers makes small pictures with some workers.
package imageworkers

import (
	"hash/crc32"
	"log"
	"sync"
)

type task struct {
	name string
	pix  []byte
	sum  uint32
}

var tasks = sync.Pool{New: func() any { return &task{pix: make([]byte, 0, 64<<10)} }}

// Run computes the checksum of each picture.
func Run(pictures map[string][]byte, workers int, report func(name string, sum uint32)) {
	ch := make(chan *task)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for t := range ch {
				t.sum = crc32.ChecksumIEEE(t.pix)
				report(t.name, t.sum)
				tasks.Put(t)
			}
		})
	}
	for name, pix := range pictures {
		t := tasks.Get().(*task)
		t.name, t.pix = name, append(t.pix[:0], pix...)
		ch <- t
		log.Printf("queued %s", t.name) // want "PV001"
	}
	close(ch)
	wg.Wait()
}
