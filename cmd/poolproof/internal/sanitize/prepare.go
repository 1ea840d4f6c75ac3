package sanitize

import (
	"context"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/toolchain"
)

// preparer makes the overlay of a unit's toolchain. The error has the kind
// [fault.Tools].
type preparer func(ctx context.Context, u *unit) (toolchain.Overlay, error)

// prepare puts the real hooks into it.
func prepare(ctx context.Context, u *unit) (toolchain.Overlay, error) {
	mode := toolchain.Exact
	if u.options.Mode == Fast {
		mode = toolchain.Fast
	}
	return toolchain.Prepare(ctx, toolchain.Config{
		GOROOT: u.toolchain.Root, Version: u.toolchain.Version, GOOS: u.toolchain.OS, GOARCH: u.toolchain.Arch,
		Mode: mode, CacheDir: filepath.Join(u.cache, "toolchains"),
	})
}
