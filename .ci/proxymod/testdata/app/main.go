// App uses the library as any module does that gets it.
package main

import (
	"bytes"
	"fmt"
	"os"

	"github.com/poolproof/poolproof/pool"
)

var buffers = pool.New(pool.Options[bytes.Buffer]{Reset: (*bytes.Buffer).Reset})

func main() {
	var p *pool.Pool[bytes.Buffer] = buffers
	for range 3 {
		b := p.Get()
		if b.Len() != 0 {
			fmt.Println("Get returned a buffer that was not reset")
			os.Exit(1)
		}
		b.WriteString("in use")
		p.Put(b)
	}
	fmt.Println("the library works")
}
