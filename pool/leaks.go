package pool

import "github.com/poolproof/poolproof/internal/ledger"

// Leaks returns one text for each object that is out, with the stack of its Get,
// in the order of the Gets. Objects that were collected while they were out
// stay listed. It is known in the checked build (-tags poolproofdebug) only,
// else nil. Package pooltest makes a test of it.
func (p *Pool[T]) Leaks() []string {
	p.must()
	if !ledger.Checked || p.more.book == nil {
		return nil
	}
	var out []string
	for _, e := range p.more.book.Outstanding() {
		out = append(out, e.String())
	}
	return out
}
