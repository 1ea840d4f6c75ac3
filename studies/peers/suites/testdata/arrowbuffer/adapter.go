// Package suite gives adapt.Arrow to Arrow's buffers.
package suite

import (
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/poolproof/poolproof/buffer"
	"github.com/poolproof/poolproof/buffer/adapt"
)

func allocator() memory.Allocator { return adapt.Arrow(buffer.New(buffer.Options{})) }
