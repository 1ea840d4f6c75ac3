package a

import (
	"bufs"
	"bytes"
)

// detach hands the buffer to its reader.
//
//poolproof:owns b
func detach(b *bytes.Buffer) { owned = b }

var owned *bytes.Buffer

func takenAndPut() {
	b := bufs.Get()
	detach(b)
	bufs.Put(b) // want `b is put here, but detach \(line 17\) took it over`
}

func putAndTaken() {
	b := bufs.Get()
	bufs.Put(b)
	detach(b) // want `b is given to detach, which takes it over, after Put \(line 23\) put it in the pool bufs\.pool`
}
