package cli

import (
	"runtime/debug"
)

// Version is that of this binary, as the go command stamped it.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "of unknown version"
	}
	return info.Main.Version
}
