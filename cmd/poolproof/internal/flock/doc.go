// Package flock locks files for one process. The system ends a lock with the
// process that holds it, so a file that a killed process left locks no other process out.
package flock

import (
	"errors"
	"os"
)

// ErrLocked says that another process holds the lock.
var ErrLocked = errors.New("locked")

// Try locks an open file until it is closed. It returns [ErrLocked] where
// another process has the lock. On a file system without locks every process gets it.
func Try(f *os.File) error { return try(f) }
