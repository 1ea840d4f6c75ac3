// Package onecached keeps one decoder for the next call.
package onecached

import (
	"fmt"
	"strings"
	"sync/atomic"
)

type decoder struct {
	dict []string
	out  strings.Builder
}

var cached atomic.Pointer[decoder]

// Decode replaces numbers by words.
func Decode(dict []string, codes []int) (string, error) {
	d := cached.Swap(nil)
	if d == nil {
		d = new(decoder)
	}
	defer cached.Store(d)
	d.dict = dict
	d.out.Reset()
	for _, c := range codes {
		if c < 0 || c >= len(d.dict) {
			return "", fmt.Errorf("code %d of %d", c, len(d.dict))
		}
		d.out.WriteString(d.dict[c])
	}
	return d.out.String(), nil
}
