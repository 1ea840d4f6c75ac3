// Package inline calls Load once. A test asks the compiler whether the call was
// inlined.
package inline

import "github.com/poolproof/poolproof/hotswap"

// Use loads a value.
func Use(r *hotswap.Reader[[64]byte]) byte {
	return r.Load()[0]
}
