// Wrong: some fields are reset before the put, others not
package w1

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
	r.Path = ""
	r.User = ""
	requests.Put(r) // want "PV011" Admin and Params are left out
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
