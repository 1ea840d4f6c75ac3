// Package short makes parts of messages short.
package short

import "strings"

// Pointer leaves out the middle of a long JSON pointer.
func Pointer(pointer string) string {
	const first, last = 60, 60
	if len(pointer) <= first+last {
		return pointer
	}
	head, tail := pointer[:first], pointer[len(pointer)-last:]
	return head[:strings.LastIndexByte(head, '/')+1] + "…" + tail[max(strings.IndexByte(tail, '/'), 0):]
}
