// Package lazyparser parses expressions such as "a+b+c".
package lazyparser

import (
	"strconv"
	"strings"
	"sync"
)

type parser struct {
	tokens []string
	pos    int
}

var parsers sync.Pool

// Sum parses and adds up.
func Sum(expr string) (int, error) {
	p := parsers.Get().(*parser) // want "PV018"
	if p == nil {
		p = new(parser)
	}
	defer parsers.Put(p)
	p.tokens, p.pos = append(p.tokens[:0], strings.Split(expr, "+")...), 0
	sum := 0
	for ; p.pos < len(p.tokens); p.pos++ {
		n, err := strconv.Atoi(strings.TrimSpace(p.tokens[p.pos]))
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}
