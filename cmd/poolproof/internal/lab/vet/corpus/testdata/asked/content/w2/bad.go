// Wrong: a test of a field that was decoded does not excuse a loss
package w2

import (
	"encoding/json"
	"errors"
	"sync"
)

type Request struct {
	Method string `json:"method"`
	ID     int    `json:"id"`
}

var requests = sync.Pool{New: func() any { return new(Request) }}

func Dispatch(body []byte, call func(string, int) error) error {
	r := requests.Get().(*Request)
	*r = Request{}
	if err := json.Unmarshal(body, r); err != nil {
		requests.Put(r)
		return err
	}
	if r.Method == "" {
		return errors.New("no method") // want "PV005" r is lost here
	}
	err := call(r.Method, r.ID)
	requests.Put(r)
	return err
}
