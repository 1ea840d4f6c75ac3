// Package suite gives adapt.GRPC the names of smux' allocator.
package suite

import (
	"github.com/poolproof/poolproof/buffer"
	"github.com/poolproof/poolproof/buffer/adapt"
)

type Allocator struct{ adapt.GRPCPool }

func NewAllocator() Allocator { return Allocator{adapt.GRPC(buffer.New(buffer.Options{}))} }
