// Package suite gives Pool.Arrow to Arrow's buffers.
package suite

import (
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/poolproof/poolproof/buffer"
)

func allocator() memory.Allocator { return buffer.New(buffer.Options{}).Arrow() }
