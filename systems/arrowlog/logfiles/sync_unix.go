//go:build unix

package logfiles

import "os"

// SyncDir brings the names in a folder to the disk, so that a file that was made or
// renamed there is found after a crash. It does nothing on systems where folders
// cannot be brought to the disk.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
