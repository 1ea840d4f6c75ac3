//go:build !poolproofdebug

package pool

// The normal build checks nothing: see check_on.go.

// chooseChecked leaves the doors of p as they are.
func (p *Pool[T]) chooseChecked() {}

// seesAll reports whether the pool must see each Get and Put for its checks.
func (s *state[T]) seesAll() bool { return false }

// trimChecked ends the watch over objects that were put, and returns how many
// there were.
func (s *state[T]) trimChecked() int { return 0 }
