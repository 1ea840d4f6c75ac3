// Package foreign puts into a pool what does not belong there.
package foreign

import (
	"bytes"
	"sync"
)

var small = sync.Pool{New: func() any {
	b := make([]byte, 512)
	return &b
}}

var large = sync.Pool{New: func() any {
	b := make([]byte, 64<<10)
	return &b
}}

func getSmall() *[]byte  { return small.Get().(*[]byte) }
func putSmall(b *[]byte) { small.Put(b) }
func getLarge() *[]byte  { return large.Get().(*[]byte) }
func putLarge(b *[]byte) { large.Put(b) }

// byClass has pools of 1 KiB, 4 KiB and 16 KiB.
var byClass = [3]sync.Pool{
	{New: func() any { b := make([]byte, 1<<10); return &b }},
	{New: func() any { b := make([]byte, 4<<10); return &b }},
	{New: func() any { b := make([]byte, 16<<10); return &b }},
}

// stages has a pool for what comes in and one for what goes out.
type stages struct {
	in, out sync.Pool
}

// record is pooled with its row inside.
type record struct {
	row  row
	name string
}

type row struct{ cells []string }

var rows = sync.Pool{New: func() any { return new(row) }}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// chunks are slices in boxes.
type box struct{ b []byte }

var boxes = sync.Pool{New: func() any { return &box{b: make([]byte, 0, 1024)} }}

func getChunk() []byte {
	x := boxes.Get().(*box)
	b := x.b[:0]
	x.b = nil
	return b
}

func putChunk(b []byte) { boxes.Put(&box{b: b}) }
