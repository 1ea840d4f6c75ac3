//go:build !unix

package duet

import "time"

// ownCPU is not known here.
func ownCPU() time.Duration { return 0 }
