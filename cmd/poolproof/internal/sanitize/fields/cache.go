package fields

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/keep"
)

// cacheVersion changes with what the scan finds in the same files.
const cacheVersion = 25

// Cache remembers the results of scans, by the names, sizes and times of a
// package's files. It is safe for concurrent use; a nil Cache remembers nothing.
type Cache struct {
	file string
	old  map[string]entry

	mu  sync.Mutex
	now map[string]entry
}

type entry struct {
	Key   string `json:"key"`
	Facts *Facts `json:"facts"`
}

// Open reads the cache in a file. One that is not there, or is broken, is empty.
func Open(file string) *Cache {
	c := &Cache{file: file, now: map[string]entry{}}
	if text, err := os.ReadFile(file); err == nil {
		_ = json.Unmarshal(text, &c.old) // a broken one is replaced
	}
	return c
}

// Save writes the cache, at once for other processes that read it. It keeps
// what earlier scans of other packages found.
func (c *Cache) Save() error {
	const most = 20_000 // packages
	changed := false
	for path, e := range c.now {
		changed = changed || c.old[path].Key != e.Key
	}
	if !changed {
		return nil
	}
	for path, e := range c.old {
		if _, ok := c.now[path]; !ok && len(c.now) < most {
			c.now[path] = e
		}
	}
	text, err := json.Marshal(c.now)
	if err != nil {
		return err
	}
	return keep.File(c.file, text)
}

// facts returns the facts of p, from the cache if its files and all that it
// imports are the same.
func (c *Cache) facts(l *loader, p *Package) *Facts {
	if c == nil {
		return l.read(p)
	}
	key, ok := l.fingerprint(p, true)
	if old, hit := c.old[p.Path]; ok && hit && old.Key == key {
		c.keep(p.Path, old)
		return old.Facts
	}
	found := l.read(p)
	if ok {
		c.keep(p.Path, entry{key, found})
	}
	return found
}

func (c *Cache) keep(path string, e entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now[path] = e
}

// fingerprint covers all that the facts depend on: the names, sizes and times of the package's files,
// and of those that it imports. Its tests are seen by itself alone, and by its external test package.
func (l *loader) fingerprint(p *Package, tests bool) (key string, ok bool) {
	l.mu.Lock()
	key = l.prints[p.Path]
	l.mu.Unlock()
	if key != "" && !tests {
		return key, true
	}
	h := sha256.New()
	fmt.Fprintln(h, cacheVersion, p.Path)
	files := p.Files
	if tests {
		files = slices.Concat(files, p.Tests)
	}
	for _, f := range files {
		if !l.stamp(h, f) {
			return "", false
		}
	}
	for _, path := range p.Imports {
		q := l.pkgs[path]
		if q == nil || q == p || p.Standard || !tests && slices.Contains(p.TestImports, path) {
			continue // of what the standard library imports nothing is looked at
		}
		key, ok := l.fingerprint(q, p.XTest && path == strings.TrimSuffix(p.Path, "_test"))
		if !ok {
			return "", false
		}
		fmt.Fprintln(h, path, key)
	}
	key = hex.EncodeToString(h.Sum(nil)[:16])
	if !tests {
		l.mu.Lock()
		l.prints[p.Path] = key
		l.mu.Unlock()
	}
	return key, true
}

// stamp writes what tells a file from another state of it.
func (l *loader) stamp(h io.Writer, file string) bool {
	name := l.actual(file)
	info, err := os.Stat(name)
	if err != nil {
		return false
	}
	fmt.Fprintln(h, name, info.Size(), info.ModTime().UnixNano())
	return true
}
