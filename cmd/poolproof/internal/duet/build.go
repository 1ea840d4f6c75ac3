// Package duet measures: it builds instrumented test binaries and interleaves
// short bursts of two live processes, the user's benchmarks unchanged. It
// gives records and never interprets them.
package duet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Build says what to build.
type Build struct {
	Toolchain *overlay.Toolchain
	Package   Package
	Output    string            // file name of the test binary
	Scratch   string            // an existing folder for overlay files; it must outlive the build only
	Engine    study.Engine      // EngineDuet: instrumented
	Layout    int               // 0: as it is; k: a padded build, its functions laid out by index k
	Files     map[string][]byte // further files to overlay, by absolute path
	Tags      string            // build tags, separated by commas
	Profiles  bool              // with EngineDuet: the binary takes profiles, too, for Proc.Heap and Proc.CPUProfile
}

// Compile builds the test binary and returns its SHA-256. The error is of the
// kind [fault.Code] where the user's package does not compile, and wraps
// overlay.ErrAnchor where the toolchain cannot be instrumented.
func (b Build) Compile(ctx context.Context) (sha string, err error) {
	for _, how := range b.layouts() {
		if sha, err = b.compile(ctx, how); err == nil || ctx.Err() != nil {
			break
		}
	}
	return sha, err
}

func (b Build) compile(ctx context.Context, how layout) (sha string, err error) {
	files := map[string][]byte{}
	for path, text := range b.Files {
		files[path] = text
	}
	if b.Engine == study.EngineDuet {
		edited := overlay.Testing
		if b.Profiles {
			edited = overlay.Profiling
		}
		instrumented, err := edited(b.Toolchain)
		if err != nil {
			return "", err
		}
		for path, text := range instrumented {
			files[path] = text
		}
	}
	if how.padded {
		path, text := b.Package.padding(b.Layout)
		files[path] = text
	}
	dir, err := os.MkdirTemp(b.Scratch, "build")
	if err != nil {
		return "", err
	}
	name, err := b.Toolchain.Write(dir, files)
	if err != nil {
		return "", err
	}
	args := []string{"test", "-c", "-overlay=" + name, "-o", b.Output}
	if b.Profiles {
		args = append(args, "-trimpath=false") // stacks have to name the files
	}
	if how.linker != "" {
		args = append(args, "-ldflags="+how.linker)
	}
	if b.Tags != "" {
		args = append(args, "-tags="+b.Tags)
	}
	if _, err := b.Toolchain.Go(ctx, b.Package.Dir, append(args, ".")...); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if b.Engine == study.EngineDuet && brokenTesting.MatchString(err.Error()) {
			return "", fmt.Errorf("%w: the instrumented testing package does not compile with %s: %w", overlay.ErrAnchor, b.Toolchain.Version, err)
		}
		if failed := new(overlay.CommandError); errors.As(err, &failed) && failed.Trouble() != "" {
			return "", fault.Errorf(fault.Tools, "%s cannot be built here: %s", b.Package.Path, failed.Trouble())
		}
		return "", fault.Errorf(fault.Code, "%s does not compile:\n%w", b.Package.Path, err)
	}
	return fileSum(b.Output)
}

// brokenTesting matches what the go command prints above the compiler's lines
// when the testing package itself does not compile.
var brokenTesting = regexp.MustCompile(`(?m)^# testing$`)

func fileSum(name string) (string, error) {
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return "", fault.Errorf(fault.Code, "go test -c made no binary: the package has no test files")
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fault.Errorf(fault.Tools, "%s: %w", name, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Verify compares a binary kept from an earlier run with its SHA-256.
func Verify(name, sha string) error {
	got, err := fileSum(name)
	if err != nil {
		return err
	}
	if got != sha {
		return fault.Errorf(fault.Input, "%s is not the binary that the plan names; begin a new run", filepath.Base(name))
	}
	return nil
}
