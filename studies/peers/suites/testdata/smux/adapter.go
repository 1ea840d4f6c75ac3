// Package suite gives Pool.GRPC the names of smux' allocator.
package suite

import "github.com/poolproof/poolproof/buffer"

type Allocator struct{ buffer.GRPCPool }

func NewAllocator() Allocator { return Allocator{buffer.New(buffer.Options{}).GRPC()} }
