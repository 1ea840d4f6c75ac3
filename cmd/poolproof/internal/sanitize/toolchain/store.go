package toolchain

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// store writes the contents into a folder, named by their sum, and returns
// where each path finds its replacement. Several processes may do that at the
// same time.
func store(dir string, files map[string][]byte) (map[string]string, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	replace := map[string]string{}
	for path, text := range files {
		sum := sha256.Sum256(text)
		name := filepath.Join(dir, hex.EncodeToString(sum[:8])+"_"+filepath.Base(path))
		if err := writeOnce(name, text); err != nil {
			return nil, err
		}
		replace[path] = name
	}
	return replace, nil
}

// writeOnce makes a file of the given content. One that is there and whole is
// left alone, with its time: the go command would look at it again.
func writeOnce(name string, text []byte) error {
	old, err := os.ReadFile(name)
	if err == nil && bytes.Equal(old, text) {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already if all went well
	_, err = f.Write(text)
	if err := errors.Join(err, f.Chmod(0o666&^umask), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// umask takes the rights away that other users need not have.
const umask = 0o022
