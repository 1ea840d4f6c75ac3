// Right: Acquire and Release are both exported
package r2

import (
	"sync"
)

type Request struct{ body []byte }

var requests = sync.Pool{New: func() any { return new(Request) }}

func Acquire() *Request { return requests.Get().(*Request) }

func Release(r *Request) {
	r.body = r.body[:0]
	requests.Put(r)
}

func Do(body string, f func(*Request)) {
	r := Acquire()
	defer Release(r)
	r.body = append(r.body, body...)
	f(r)
}
