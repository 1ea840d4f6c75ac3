// Package similar compares texts by their trigrams, for a search that forgives typing errors.
package similar

import (
	"errors"
	"slices"

	"github.com/poolproof/poolproof/pool"
)

type sets struct {
	a, b []uint32
}

var scratch = pool.New(pool.Options[sets]{
	Name:  "trigrams",
	Reset: func(s *sets) { s.a, s.b = s.a[:0], s.b[:0] },
	Size:  func(s *sets) int { return 4 * (cap(s.a) + cap(s.b)) },
})

var errShort = errors.New("similar: text too short")

func trigrams(dst []uint32, text string) ([]uint32, error) {
	if len(text) < 3 {
		return dst, errShort
	}
	for i := range len(text) - 2 {
		dst = append(dst, uint32(text[i])<<16|uint32(text[i+1])<<8|uint32(text[i+2]))
	}
	slices.Sort(dst)
	return slices.Compact(dst), nil
}

// Texts returns how similar two texts are, from 0 to 1.
func Texts(x, y string) (score float64, err error) {
	err = scratch.WithError(func(s *sets) error {
		var err error
		if s.a, err = trigrams(s.a, x); err != nil {
			return err
		}
		if s.b, err = trigrams(s.b, y); err != nil {
			return err
		}
		both := 0
		for i, j := 0, 0; i < len(s.a) && j < len(s.b); {
			switch {
			case s.a[i] < s.b[j]:
				i++
			case s.a[i] > s.b[j]:
				j++
			default:
				both, i, j = both+1, i+1, j+1
			}
		}
		score = float64(both) / float64(len(s.a)+len(s.b)-both)
		return nil
	})
	return score, err
}

// Best returns the candidate that is most similar to text.
func Best(text string, candidates []string) (best string) {
	var top float64
	for _, c := range candidates {
		if score, err := Texts(text, c); err == nil && score > top {
			best, top = c, score
		}
	}
	return best
}
