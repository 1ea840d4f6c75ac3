// Package suite gives a Sized to the reverse proxy.
package suite

import (
	"net/http/httputil"

	"github.com/poolproof/poolproof/buffer"
	"github.com/poolproof/poolproof/buffer/adapt"
)

var NewSingleHostReverseProxy = httputil.NewSingleHostReverseProxy

var buffers = adapt.HTTP(buffer.New(buffer.Options{}).Sized(1234))

var _ httputil.BufferPool = buffers
