//go:build poolproofdebug

package hotswap

// SetDelay sets how many values must become free after one before it is used again,
// and returns what undoes it.
func SetDelay(n int) (undo func()) {
	before := delay
	delay = n
	return func() { delay = before }
}
