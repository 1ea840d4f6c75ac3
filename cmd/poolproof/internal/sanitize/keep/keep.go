// Package keep writes the files that the sanitizer keeps from run to run.
package keep

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
)

// Overlay writes an overlay file of the go command into a folder, under a name made of its
// content, and returns that. What a later part replaces holds.
func Overlay(folder string, parts ...map[string]string) (string, error) {
	replace := map[string]string{}
	for _, part := range parts {
		maps.Copy(replace, part)
	}
	text, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return "", err
	}
	name := filepath.Join(folder, fmt.Sprintf("%.12x.json", sha256.Sum256(text)))
	return name, File(name, text)
}

// File writes a file, and the folders above it, unless it says the same
// already: its time is part of what build caches look at. Who reads it meanwhile, another
// poolproof for example, sees the old text or the new one, never a part.
func File(name string, text []byte) error {
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, text) {
		return nil
	}
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // gone already, if all went well
	_, err = tmp.Write(text)
	if err := errors.Join(err, tmp.Chmod(0o644), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), name)
}
