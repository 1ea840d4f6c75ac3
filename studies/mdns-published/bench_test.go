package mdnspublished

import (
	"context"
	"sync"
	"testing"
	"time"

	mdnsreceive "github.com/poolproof/poolproof/studies/mdns-receive"
)

var transports = []struct {
	name string
	open func(*mdnsreceive.Conn) *Transport
}{
	{"make", NewMake}, {"pool", NewPool},
}

// loopback is the Conn of the benchmark: the engine runs its function for each
// slice.
var loopback = sync.OnceValues(mdnsreceive.Listen)

// timeout of the context that all calls of the benchmark share, as published.
const timeout = time.Millisecond

// BenchmarkReceive is the published benchmark: nothing is sent, and the errors
// are not looked at.
func BenchmarkReceive(b *testing.B) {
	for _, transport := range transports {
		b.Run("recv="+transport.name, func(b *testing.B) {
			c, err := loopback()
			if err != nil {
				b.Fatal(err)
			}
			t := transport.open(c)
			ctx, cancel := context.WithTimeout(b.Context(), timeout)
			defer cancel()
			b.ReportAllocs()
			for b.Loop() {
				t.Receive(ctx)
			}
		})
	}
}
