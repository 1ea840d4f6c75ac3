// Right: put behind log.Fatal in main
package main

import (
	"bytes"
	"fmt"
	"log"
	"net/http"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuf() *bytes.Buffer {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func putBuf(b *bytes.Buffer) { bufs.Put(b) }

func main() {
	b := getBuf()
	fmt.Fprintf(b, ":%d", 8080)
	log.Fatal(http.ListenAndServe(b.String(), nil))
	putBuf(b)
}
