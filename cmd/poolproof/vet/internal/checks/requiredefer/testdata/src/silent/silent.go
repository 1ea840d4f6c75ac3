package silent

import "sync"

var pool = sync.Pool{New: func() any { return new(int) }}

func getBuffer() *int { return pool.Get().(*int) }

func use() { pool.Put(getBuffer()) }
