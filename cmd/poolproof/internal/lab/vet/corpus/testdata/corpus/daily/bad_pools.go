package daily

import "sync"

// The function that makes the pool forgets how to make an object.
type request struct{ path string }

func requestPool() *sync.Pool { return &sync.Pool{} }

var requests = requestPool()

func Route(path string, f func(*request)) {
	r := requests.Get().(*request) // want "PV018"
	r.path = path
	f(r)
	r.path = ""
	requests.Put(r)
}

// Each call makes a pool of its own.
type chunk struct{ data []byte }

func chunkPool(n int) *sync.Pool {
	return &sync.Pool{New: func() any { return &chunk{make([]byte, n)} }}
}

func Fill(n int, f func([]byte)) {
	pool := chunkPool(n)
	c := pool.Get().(*chunk) // want "PV010"
	f(c.data)
	pool.Put(c)
}
