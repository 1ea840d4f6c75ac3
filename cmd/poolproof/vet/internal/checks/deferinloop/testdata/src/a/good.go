package a

import "bytes"

func inLiteral(names []string) {
	for _, n := range names {
		func() {
			b := buffers.Get().(*bytes.Buffer)
			defer buffers.Put(b)
			b.WriteString(n)
		}()
	}
}

// The loop ends with the round that defers.
func first(names []string) int {
	for _, n := range names {
		if n != "" {
			b := buffers.Get().(*bytes.Buffer)
			defer buffers.Put(b)
			return b.Len()
		}
	}
	return 0
}
