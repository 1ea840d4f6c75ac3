// Package query is right.
package query

import (
	"strings"
	"sync"
)

type args struct{ kv []string }

var pool = sync.Pool{New: func() any { return new(args) }}

func Acquire() *args { return pool.Get().(*args) }

func Release(a *args) {
	a.kv = a.kv[:0]
	pool.Put(a)
}

func (a *args) Add(k, v string) { a.kv = append(a.kv, k, v) }
func (a *args) String() string  { return strings.Join(a.kv, "&") }

func Query(m map[string]string) string {
	a := Acquire()
	for k, v := range m {
		a.Add(k, v)
	}
	s := a.String()
	Release(a)
	return s
}

type Request struct {
	Path string
	args *args
}

var requests = sync.Pool{New: func() any { return new(Request) }}

func AcquireRequest() *Request {
	r := requests.Get().(*Request)
	r.args = Acquire()
	return r
}

func ReleaseRequest(r *Request) {
	Release(r.args)
	r.args = nil
	r.Path = ""
	requests.Put(r)
}

func Do(path string, f func(string) error) error {
	r := AcquireRequest()
	defer ReleaseRequest(r)
	r.Path = path
	r.args.Add("p", path)
	return f(r.Path + "?" + r.args.String())
}
