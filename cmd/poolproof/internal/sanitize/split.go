package sanitize

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/bymodule"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
)

// byModule sorts packages that are folders by the module that they lie in: one
// go test can test those of one. "./..." where there is no module is all modules
// below.
var byModule = bymodule.Command{Below: true}

// nowhere says why folders that were asked for have no packages: they are in no
// module. The go command names the pattern only, as one that does not build.
func (p *plan) nowhere() error {
	if p.toolchain.Mod != "" || p.packages != nil && len(p.packages.tested) > 0 || !slices.ContainsFunc(p.asked.line.Packages, isFolder) {
		return nil
	}
	return fault.Errorf(fault.Input, "%s: no go.mod in this folder, above it or below it: name a folder of a module, or go there with -C", p.dir)
}

// isFolder reports whether a pattern of the go command names folders.
func isFolder(pattern string) bool {
	first, _, _ := strings.Cut(filepath.ToSlash(pattern), "/")
	return first == "." || first == ".." || filepath.IsAbs(pattern)
}
