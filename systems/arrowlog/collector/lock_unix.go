//go:build unix

package collector

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// lockDir fails if another process has locked the folder. The lock ends with the
// process.
func lockDir(dir string) (io.Closer, error) {
	f, err := os.OpenFile(filepath.Join(dir, ".lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, fmt.Errorf("the folder %s is used by another collector: %w", dir, err)
	}
	return f, nil
}
