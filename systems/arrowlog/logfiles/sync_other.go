//go:build !unix

package logfiles

// SyncDir does nothing: folders cannot be brought to the disk here.
func SyncDir(string) error { return nil }
