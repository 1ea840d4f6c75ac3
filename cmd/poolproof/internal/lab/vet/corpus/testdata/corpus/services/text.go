package services

import (
	"sync"
	"unsafe"
)

var scratchText = sync.Pool{New: func() any { b := make([]byte, 0, 64); return &b }}

func asString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
