package overlay

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"time"
)

// Command returns a go command of this toolchain, to be run in dir.
func (t *Toolchain) Command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, t.command, args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "PWD="+dir), t.env...)
	cmd.WaitDelay = 2 * time.Second // from the end of ctx until it is killed
	return cmd
}

// Flags returns the flags of GOFLAGS, without its overlay.
func (t *Toolchain) Flags() []string { return slices.Clone(t.flags) }

// User returns the overlay that GOFLAGS named: path to replacement, "" for a
// file taken away. It must not be changed.
func (t *Toolchain) User() map[string]string { return t.user }

// Read reads an overlay file of the go command, its paths made absolute against
// dir, as the go command does.
func Read(dir, name string) (map[string]string, error) { return readOverlay(dir, name) }

// Clash returns a file that two overlays replace.
func Clash(a, b map[string]string) (path string, clash bool) {
	for from := range a {
		for path := range b {
			if sameFile(from, path) {
				return path, true
			}
		}
	}
	return "", false
}

// SplitFlags splits the value of a flag that holds several words, as the go
// command splits GOFLAGS.
func SplitFlags(s string) ([]string, error) { return splitFlags(s) }
