//go:build unix

package sanitize

import (
	"os"
	"syscall"
)

// become replaces this process by another program: its id, its pipes and its
// signals are the program's from now on.
func become(path string, command []string) (code int, err error) {
	return 0, syscall.Exec(path, command, os.Environ())
}
