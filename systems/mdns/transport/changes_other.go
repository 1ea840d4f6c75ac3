//go:build !linux

package transport

import "context"

// Changes returns a channel that has an element after interfaces or addresses of
// the system have changed, until ctx ends; several changes may be one element.
// The channel is nil where the system does not tell: only Linux does so. An
// error is that of the system, which may refuse in a container; then, too, the
// caller looks from time to time.
func Changes(context.Context) (<-chan struct{}, error) { return nil, nil }
