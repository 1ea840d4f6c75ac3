// Package suite gives Pool.Bytes the name that mcache has for it.
package suite

import "github.com/poolproof/poolproof/buffer"

var pool = buffer.New(buffer.Options{})

func Malloc(size int) []byte { return pool.Bytes(size) }
