//go:build !poolproofdebug

package hotswap

import "github.com/poolproof/poolproof/hotswap/internal/slots"

// The normal build does nothing to free values: see check_on.go.

const checked = false

type hidden[T any] struct{}

// book is what package pooltest sees of a pool.
type book struct{}

func (book) out(*token)      {}
func (book) in(*token)       {}
func (book) dropped(*record) {}

func (p *Pool[T]) enlist()             {}
func (p *Pool[T]) hide(*slots.Slot)    {}
func (p *Pool[T]) reveal(*slots.Slot)  {}
func (p *Pool[T]) noteGet(*slots.Slot) {}
