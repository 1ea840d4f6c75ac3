package adapt_test

import (
	"fmt"
	"io"
	"net/http/httputil"
	"net/url"

	"github.com/poolproof/poolproof/buffer"
	"github.com/poolproof/poolproof/buffer/adapt"
)

var buffers = buffer.New(buffer.Options{})

// A reverse proxy copies the bodies of responses in pooled memory.
func ExampleHTTP() {
	target := &url.URL{Scheme: "http", Host: "127.0.0.1:8080"}
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.BufferPool = adapt.HTTP(buffers.Sized(32 << 10))

	b := proxy.BufferPool.Get()
	fmt.Println(len(b))
	proxy.BufferPool.Put(b)
	// Output: 32768
}

// The memory that Arrow asks for begins at a multiple of 64 bytes and is zero.
func ExampleArrow() {
	a := adapt.Arrow(buffers)
	b := a.Allocate(5)
	copy(b, "arrow")
	b = a.Reallocate(8, b)
	fmt.Printf("%q\n", b)
	a.Free(b)
	// Output: "arrow\x00\x00\x00"
}

// Two readers of the same bytes, as for a request that is sent again.
func ExampleBody() {
	b := buffers.Append()
	b.WriteString("content")
	s := b.Share()
	first, second := adapt.Body(s), adapt.Body(s)
	s.Release()

	for _, body := range []io.ReadCloser{first, second} {
		text, err := io.ReadAll(body)
		fmt.Println(string(text), err)
		body.Close() // the second one gives the memory back
	}
	// Output:
	// content <nil>
	// content <nil>
}

// The interface of grpc's mem.BufferPool.
func ExampleGRPC() {
	g := adapt.GRPC(buffers)
	x := g.Get(5)
	fmt.Println(*x)
	g.Put(x)
	// Output: [0 0 0 0 0]
}
