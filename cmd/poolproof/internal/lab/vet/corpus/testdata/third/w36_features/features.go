// Package features holds the feature switches of a service, which an operator replaces as a whole.
package features

import (
	"encoding/json"
	"io"
	"sync/atomic"

	"github.com/poolproof/poolproof/hotswap"
)

type set struct {
	On    map[string]bool   `json:"on"`
	Limit map[string]int    `json:"limit"`
	Text  map[string]string `json:"text"`
}

// Features is the current set.
type Features struct {
	pool    *hotswap.Pool[set]
	current *hotswap.Container[set]
	unknown atomic.Int64
}

// New returns an empty set.
func New() *Features {
	p := hotswap.NewPool(hotswap.Options[set]{
		New: func() *set { return new(set) },
		Reset: func(s *set) bool {
			clear(s.On)
			clear(s.Limit)
			clear(s.Text)
			return true
		},
	})
	return &Features{pool: p, current: hotswap.New(p)}
}

// Load reads a new set.
func (f *Features) Load(r io.Reader) error {
	draft := f.pool.Get()
	defer draft.Discard()
	if err := json.NewDecoder(r).Decode(draft.Value()); err != nil {
		return err
	}
	return f.current.Update(&draft)
}

// Enabled reports whether a feature is on. One that nobody has set is off.
func (f *Features) Enabled(name string) bool {
	ref := f.current.Acquire()
	defer ref.Release()
	if !ref.Ok() {
		return false
	}
	s := ref.Value()
	on, ok := s.On[name]
	if !ok && s.On != nil {
		f.unknown.Add(1)
		s.On[name] = false // want PV022
	}
	return on
}
