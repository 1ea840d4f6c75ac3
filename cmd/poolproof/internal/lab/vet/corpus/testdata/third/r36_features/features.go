// Package features holds the feature switches of a service, which an operator replaces or changes.
package features

import (
	"context"
	"encoding/json"
	"io"
	"maps"

	"github.com/poolproof/poolproof/hotswap"
)

type set struct {
	On    map[string]bool `json:"on"`
	Limit map[string]int  `json:"limit"`
}

// Features is the current set.
type Features struct {
	pool    *hotswap.Pool[set]
	current *hotswap.Container[set]
}

// New returns an empty set.
func New() *Features {
	p := hotswap.NewPool(hotswap.Options[set]{
		New: func() *set { return &set{make(map[string]bool), make(map[string]int)} },
		Reset: func(s *set) bool {
			clear(s.On)
			clear(s.Limit)
			return s.On != nil && s.Limit != nil
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

// Switch changes one feature.
func (f *Features) Switch(ctx context.Context, name string, on bool) error {
	return f.current.RCU(ctx, func(next, cur *set) error {
		if cur != nil {
			maps.Copy(next.On, cur.On)
			maps.Copy(next.Limit, cur.Limit)
		}
		next.On[name] = on
		return nil
	})
}

// Enabled reports whether a feature is on. One that nobody has set is off.
func (f *Features) Enabled(name string) (on bool) {
	f.current.Do(func(s *set) { on = s.On[name] })
	return on
}
