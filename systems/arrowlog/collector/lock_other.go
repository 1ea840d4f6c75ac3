//go:build !unix

package collector

import (
	"io"
	"os"
	"path/filepath"
)

// lockDir opens a file in the folder: another process is not noticed here.
func lockDir(dir string) (io.Closer, error) {
	return os.OpenFile(filepath.Join(dir, ".lock"), os.O_CREATE|os.O_RDWR, 0o644)
}
