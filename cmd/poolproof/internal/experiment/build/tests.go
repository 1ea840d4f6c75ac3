package build

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Test runs the tests of a package of the target's module, with the target's own texts in the
// place of files, and returns what they print. It does not run the named tests. flags are
// further ones of go test.
func (t *Target) Test(ctx context.Context, dir string, without []string, timeout time.Duration, flags ...string) (string, error) {
	scratch, err := os.MkdirTemp(t.Scratch, "tests")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(scratch)
	overlaid, err := t.Write(scratch)
	if err != nil {
		return "", err
	}
	args := append([]string{"test", "-short", "-overlay=" + overlaid, "-timeout=" + timeout.String()}, flags...)
	if len(without) > 0 {
		var names []string
		for _, name := range without {
			names = append(names, regexp.QuoteMeta(name))
		}
		args = append(args, fmt.Sprintf("-skip=^(%s)$", strings.Join(names, "|")))
	}
	out, err := t.Go(ctx, dir, args, ".")
	return string(out), err
}

// Go runs the go command in a folder, with the target's build tags.
func (t *Target) Go(ctx context.Context, dir string, args []string, packages ...string) ([]byte, error) {
	if t.Tags != "" {
		args = append(args, "-tags="+t.Tags)
	}
	return t.Chain.Go(ctx, dir, append(args, packages...)...)
}

// Write writes an overlay file with the target's own texts into a folder, and returns its name.
func (t *Target) Write(dir string) (string, error) { return t.Chain.Write(dir, t.files) }

// Overlay is the file of an overlay with the target's own texts, which stays as long as the
// process; "" if it has none.
func (t *Target) Overlay() (string, error) {
	if len(t.files) == 0 {
		return "", nil
	}
	dir, err := os.MkdirTemp(t.Scratch, "own")
	if err != nil {
		return "", err
	}
	return t.Write(dir)
}

// Own reports whether one of the target's own texts is one that is looked for.
func (t *Target) Own(match func(text []byte) bool) bool {
	for _, text := range t.files {
		if match(text) {
			return true
		}
	}
	return false
}

// Named is the import path of a folder of the target's module.
func (t *Target) Named(dir string) string {
	rel, err := filepath.Rel(t.Package.Root, dir)
	if err != nil {
		return dir
	}
	return path.Join(t.Package.Module, filepath.ToSlash(rel))
}
