// Package size is for the tests of package mutate.
package size

// Of returns a size without its sign.
func Of(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
