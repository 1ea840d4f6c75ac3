package sites

import (
	_ "embed"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

//go:embed modules.toml
var list string

// module is one of the draw.
type module struct {
	Name     string // of its record
	Path     string
	Version  string
	Draw     int      // 0 is the first
	run      int      // whose records are read and written; 1 is the first
	Packages []string // that are profiled, as ./codec
}

// modules are those of a draw, in a run of it.
func modules(draw, run int) ([]module, error) {
	var l struct{ Module []module }
	if err := toml.Unmarshal([]byte(list), &l); err != nil {
		return nil, fmt.Errorf("modules.toml: %w", err)
	}
	all := slices.DeleteFunc(l.Module, func(m module) bool { return max(1, m.Draw) != draw })
	for i := range all {
		all[i].run = run
	}
	return all, nil
}

// records is the folder of the records of first runs in the repository; those of later runs end with
// their number.
const records = "cmd/poolproof/internal/lab/records/find"

// file is the name of the record of a package.
func (m module) file(root, pkg string) string {
	if m.run > 1 {
		return m.in(root, fmt.Sprint(records, "-", m.run), pkg)
	}
	return m.in(root, records, pkg)
}

// in is the name of the file of a package in a folder of records.
func (m module) in(root, folder, pkg string) string {
	name := m.Name
	if pkg != "." {
		name += "-" + strings.ReplaceAll(strings.TrimPrefix(pkg, "./"), "/", "-")
	}
	return filepath.Join(root, filepath.FromSlash(folder), name+".json")
}
