package build

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// existing is the nearest folder at or above dir that exists.
func existing(dir string) string {
	for !Exists(dir) && filepath.Dir(dir) != dir {
		dir = filepath.Dir(dir)
	}
	return dir
}

// Resolved is the path with the links in its existing part followed.
func Resolved(path string) string {
	there := existing(path)
	real, err := filepath.EvalSymlinks(there)
	if err != nil {
		return path
	}
	rest, err := filepath.Rel(there, path)
	if err != nil {
		return path
	}
	return filepath.Join(real, rest)
}

// FromHere is the path as seen from the working directory where it lies in
// there.
func FromHere(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	for _, dir := range []string{here, Resolved(here)} {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return path
}

// Exists reports whether there is a file or folder of that name.
func Exists(name string) bool {
	_, err := os.Stat(name)
	return !errors.Is(err, fs.ErrNotExist)
}
