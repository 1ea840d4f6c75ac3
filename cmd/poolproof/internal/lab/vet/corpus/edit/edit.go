// Package edit changes source text at byte offsets, so that comments and lines
// stay where they are.
package edit

import (
	"cmp"
	"fmt"
	"slices"
)

// Edit replaces the bytes from Start to End by New.
type Edit struct {
	Start, End int
	New        string
}

// Apply returns src with all edits done. They may come in any order and must not
// overlap; insertions at one place are done in the order that they come in.
func Apply(src []byte, edits []Edit) ([]byte, error) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
	var out []byte
	at := 0
	for _, e := range edits {
		if e.Start < at || e.End < e.Start || e.End > len(src) {
			return nil, fmt.Errorf("edit of bytes %d to %d overlaps another one, or is outside of %d bytes", e.Start, e.End, len(src))
		}
		out = append(out, src[at:e.Start]...)
		out = append(out, e.New...)
		at = e.End
	}
	return append(out, src[at:]...), nil
}
