package build

import (
	"os"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
)

// withoutModule is the error for a package that was not found by a toolchain that
// found no module either; nil where there is one.
func withoutModule(t *overlay.Toolchain, path string) error {
	if t.Mod != "" || os.Getenv("GO111MODULE") == "off" {
		return nil
	}
	return fault.Errorf(fault.Input, "%s: there is no go.mod in this folder or above it; make a module with go mod init NAME, or name the folder of a package in a module", path)
}
