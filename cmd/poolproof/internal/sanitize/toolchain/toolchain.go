// Package toolchain makes a Go toolchain that watches sync.Pool out of the
// user's own: an overlay of a few of its files, found at named anchors by
// syntax tree, and files added to them. The toolchain itself is never written.
package toolchain

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/keep"
)

// Overlay makes a build of the go command an instrumented one.
type Overlay struct {
	Replace map[string]string // of the toolchain: path -> replacement
	GCFlags []string          // for all packages
	Form    string            // of instrumentation: FormMSan, FormRace or FormFast
	Notes   []string          // what is less than the mode promises, in words
}

// Prepare edits a copy of what it needs of the toolchain, and writes it into
// the cache folder. Files that are there with the same content stay as they
// are, so that the go command builds nothing twice. An error has the kind
// [fault.Tools]; it wraps an *AnchorError where the toolchain is of an unknown shape.
func Prepare(ctx context.Context, c Config) (Overlay, error) {
	platform, err := Lookup(c.GOOS, c.GOARCH)
	if err != nil {
		return Overlay{}, fault.Errorf(fault.Tools, "%w", err)
	}
	form := platform.Form
	var notes []string
	if c.Mode == Fast {
		form = FormFast
	} else if form == FormFast {
		notes = append(notes, fmt.Sprintf("%s/%s: the compiler has no memory instrumentation there: fast mode", c.GOOS, c.GOARCH))
	}
	files, err := edited(c, form)
	replace, err := c.stored(ctx, form, files, err)
	return Overlay{Replace: replace, Form: form, GCFlags: flags(form), Notes: notes}, err
}

// stored says where the files of a form lie, unless there was an error in making them.
func (c Config) stored(ctx context.Context, form string, files map[string][]byte, err error) (map[string]string, error) {
	if a := new(AnchorError); errors.As(err, &a) {
		a.Version = c.Version
		err = fmt.Errorf("%w; this version of poolproof knows Go %s", err, Versions)
	}
	if err != nil {
		return nil, fault.Errorf(fault.Tools, "%w", err)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	replace, err := store(cacheFolder(c, form), files)
	if err != nil {
		return nil, fault.Errorf(fault.Tools, "overlay files: %w", err)
	}
	return replace, nil
}

// Versions names the releases of Go whose anchors are tested.
const Versions = "1.24, 1.25 and 1.26"

// flags are the compiler's for a form. The build tags msan and race stay off:
// they would ask for C. checkptr, which both imply, would stop unsafe code
// that has nothing to do with pools.
func flags(form string) []string {
	if form == FormFast {
		return nil
	}
	return []string{"-" + form, "-d=checkptr=0"}
}

// cacheFolder is one folder for each toolchain and form.
func cacheFolder(c Config, form string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '.', r == '-':
			return r
		}
		return '_'
	}, c.Version+"-"+c.GOOS+"-"+c.GOARCH+"-"+form)
	return filepath.Join(c.CacheDir, name)
}

// store writes the contents into a folder, named by their sum, and returns
// where each path finds its replacement. Several processes may do that at the
// same time.
func store(dir string, files map[string][]byte) (map[string]string, error) {
	replace := map[string]string{}
	for path, text := range files {
		sum := sha256.Sum256(text)
		name := filepath.Join(dir, hex.EncodeToString(sum[:8])+"_"+filepath.Base(path))
		if err := keep.File(name, text); err != nil {
			return nil, err
		}
		replace[path] = name
	}
	return replace, nil
}
