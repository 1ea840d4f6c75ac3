// Package unsafekeys makes keys of a cache without a copy.
package unsafekeys

import (
	"strconv"
	"sync"
	"unsafe"
)

var keys = sync.Pool{New: func() any { b := make([]byte, 0, 64); return &b }}

// Key joins the parts with a colon.
func Key(tenant string, id int, parts ...string) string {
	bp := keys.Get().(*[]byte)
	b := append((*bp)[:0], tenant...)
	b = append(b, ':')
	b = strconv.AppendInt(b, int64(id), 10)
	for _, p := range parts {
		b = append(append(b, ':'), p...)
	}
	*bp = b
	keys.Put(bp)
	return unsafe.String(unsafe.SliceData(b), len(b)) // want "PV001|PV003"
}

// Has says whether m has the key.
func Has(m map[string]int, tenant string, id int) bool {
	bp := keys.Get().(*[]byte)
	defer keys.Put(bp)
	*bp = strconv.AppendInt(append((*bp)[:0], tenant...), int64(id), 10)
	_, ok := m[string(*bp)]
	return ok
}
