// Wrong: own method reset
package w4

import (
	"errors"
	"strings"
	"sync"
)

type Request struct {
	Method string
	Args   []string
}

var requests = sync.Pool{New: func() any { return new(Request) }}

func (r *Request) reset() { r.Method, r.Args = "", r.Args[:0] }

func Dispatch(line string, call func(string, []string) error) error {
	r := requests.Get().(*Request)
	r.Args = append(r.Args, strings.Fields(line)...)
	if len(line) == 0 {
		r.reset()
		return errors.New("empty") // want "PV005" reset does not put r
	}
	r.Method = r.Args[0]
	err := call(r.Method, r.Args[1:])
	r.reset()
	requests.Put(r)
	return err
}
