// Right: all fields are reset by one assignment
package r1

import (
	"strings"
	"sync"
)

type Request struct {
	Path   string
	User   string
	Admin  bool
	Params []string
}

var requests = sync.Pool{New: func() any { return new(Request) }}

func release(r *Request) {
	*r = Request{Params: r.Params[:0]}
	requests.Put(r)
}

func Serve(path, user string, handle func(*Request)) {
	r := requests.Get().(*Request)
	r.Path = path
	if user == "root" {
		r.Admin = true
	}
	r.User = user
	r.Params = append(r.Params, strings.Split(path, "/")...)
	handle(r)
	release(r)
}
