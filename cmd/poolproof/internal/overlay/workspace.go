package overlay

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
)

// leaveWorkspace switches a go.work off that does not use the module of dir,
// and reports whether it did: the go command would find no package there.
func (t *Toolchain) leaveWorkspace(ctx context.Context, dir, work string) (left bool, err error) {
	own := NearestModule(dir)
	if work == "" || work == "off" || own == "" {
		return false, nil
	}
	uses, err := readUses(ctx, t, work)
	if err != nil {
		return false, fault.Errorf(fault.Tools, "%s: %w", work, err)
	}
	for _, used := range uses {
		if sameFile(used, own) {
			return false, nil
		}
	}
	t.env = append(t.env, "GOWORK=off")
	t.Notes = append(t.Notes, fmt.Sprintf("%s does not use the module in %s: GOWORK=off there", filepath.Base(work), filepath.Base(own)))
	return true, nil
}

// readUses returns the folders that a go.work uses.
func readUses(ctx context.Context, t *Toolchain, work string) ([]string, error) {
	dir := filepath.Dir(work)
	out, err := t.Go(ctx, dir, "work", "edit", "-json", work)
	if err != nil {
		return nil, err
	}
	var w struct{ Use []struct{ DiskPath string } }
	if err := json.Unmarshal(out, &w); err != nil {
		return nil, err
	}
	var uses []string
	for _, u := range w.Use {
		path := filepath.FromSlash(u.DiskPath)
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		uses = append(uses, path)
	}
	return uses, nil
}

// NearestModule returns the closest folder at or above dir with a go.mod; ""
// if there is none.
func NearestModule(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}
