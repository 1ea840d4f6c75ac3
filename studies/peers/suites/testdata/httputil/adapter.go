// Package suite gives a Sized to the reverse proxy.
package suite

import (
	"net/http/httputil"

	"github.com/poolproof/poolproof/buffer"
)

var NewSingleHostReverseProxy = httputil.NewSingleHostReverseProxy

var buffers = buffer.New(buffer.Options{}).Sized(1234).HTTP()

var _ httputil.BufferPool = buffers
