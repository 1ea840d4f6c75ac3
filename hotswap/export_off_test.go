//go:build !poolproofdebug

package hotswap

// SetDelay is for the checked build.
func SetDelay(int) (undo func()) { return func() {} }
