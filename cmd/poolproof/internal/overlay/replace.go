package overlay

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
)

// Write writes an overlay file named overlay.json into dir, together with the
// contents it points to, and returns its name: the given files (by absolute
// path) are replaced, or added where they do not exist, and what GOFLAGS
// overlaid before stays. A file that both replace is an error of the kind [fault.Tools].
func (t *Toolchain) Write(dir string, files map[string][]byte) (string, error) {
	replace := map[string]string{}
	for from, to := range t.user {
		for path := range files {
			if sameFile(from, path) {
				return "", fault.Errorf(fault.Tools, "GOFLAGS overlays %s, which poolproof must replace too: remove it from that overlay", path)
			}
		}
		replace[from] = to
	}
	for n, path := range slices.Sorted(maps.Keys(files)) {
		copied := filepath.Join(dir, fmt.Sprintf("overlay%d_%s", n, filepath.Base(path)))
		if err := os.WriteFile(copied, files[path], 0o666); err != nil {
			return "", err
		}
		replace[path] = copied
	}
	b, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(name, b, 0o666); err != nil {
		return "", err
	}
	return name, nil
}

// readOverlay reads an overlay file of the go command, its paths made absolute
// against dir, as the go command does.
func readOverlay(dir, name string) (map[string]string, error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var o struct{ Replace map[string]string }
	if err := json.Unmarshal(b, &o); err != nil {
		return nil, fmt.Errorf("%s is not an overlay file: %w", name, err)
	}
	abs := func(p string) string {
		if p == "" { // a file taken away
			return p
		}
		if !filepath.IsAbs(p) {
			p = filepath.Join(dir, p)
		}
		return filepath.Clean(p)
	}
	m := map[string]string{}
	for from, to := range o.Replace {
		m[abs(from)] = abs(to)
	}
	return m, nil
}

// sameFile reports whether two names are of one file, links followed. Files
// that do not exist are compared by name.
func sameFile(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
