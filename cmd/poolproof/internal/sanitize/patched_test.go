package sanitize

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// patched makes a GOROOT whose sync.Pool has no method Put: a copy of links,
// but for that file.
func patched(t *testing.T) string {
	t.Helper()
	real, fake := goroot(t), t.TempDir()
	// mirror links all entries of a folder but one, which is to become a folder.
	mirror := func(rel, but string) {
		entries, err := os.ReadDir(filepath.Join(real, rel))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(fake, rel), 0o777); err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Name() == but {
				continue
			}
			if err := os.Symlink(filepath.Join(real, rel, e.Name()), filepath.Join(fake, rel, e.Name())); err != nil {
				t.Skipf("no links here: %v", err)
			}
		}
	}
	mirror("", "src")
	mirror("src", "sync")
	mirror(filepath.Join("src", "sync"), "pool.go")
	text, err := os.ReadFile(filepath.Join(real, "src", "sync", "pool.go"))
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(text), "func (p *Pool) Put(", "func (p *Pool) Store(", 1)
	if changed == string(text) {
		t.Fatal("sync.Pool has no method Put")
	}
	if err := os.WriteFile(filepath.Join(fake, "src", "sync", "pool.go"), []byte(changed), 0o666); err != nil {
		t.Fatal(err)
	}
	return fake
}
