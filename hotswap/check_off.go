//go:build !poolproofdebug

package hotswap

import "github.com/poolproof/poolproof/hotswap/internal/slots"

// The normal build does nothing to free values, and says what is free where
// `poolproof test` asks for it: see check_on.go and mark.go.

const checked = false

// delay is how many values must become free after one before it is used again; see
// claim.
const delay = 8 * markedBit

// book is package pooltest's view of a pool.
type book struct{}

func (book) out(*token)      {}
func (book) in(*token)       {}
func (book) dropped(*record) {}

func (p *Pool[T]) checkFree()           {}
func (p *Pool[T]) enlist()              {}
func (p *Pool[T]) hide(s *slots.Slot)   { p.markFree(s) }
func (p *Pool[T]) reveal(s *slots.Slot) { p.markTaken(s) }
func (p *Pool[T]) noteGet(*slots.Slot)  {}
func (p *Pool[T]) seal(*Draft[T])       {}
func (p *Pool[T]) unseal(*slots.Slot)   {}
