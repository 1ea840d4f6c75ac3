// Right: a hold is moved into a struct that is sent
package r03

import (
	"fmt"
	"github.com/poolproof/poolproof/hotswap"
)

type Index struct{ rows []string }

type request struct {
	config hotswap.Ref[Index]
	id     int
}

func Serve(c *hotswap.Container[Index], requests chan<- *request, id int) {
	ref := c.Acquire()
	if !ref.Ok() {
		return
	}
	requests <- &request{config: ref.Move(), id: id}
}

func Work(requests <-chan *request) {
	for r := range requests {
		fmt.Println(r.id, len(r.config.Value().rows))
		r.config.Release()
	}
}
