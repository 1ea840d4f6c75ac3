package fields

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"sync"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/keep"
)

// cacheVersion changes with what the scan finds in the same files.
const cacheVersion = 4

// Cache remembers the results of scans, by the names, sizes and times of a
// package's files. It is safe for concurrent use; a nil Cache remembers nothing.
type Cache struct {
	file string
	old  map[string]entry

	mu  sync.Mutex
	now map[string]entry
}

type entry struct {
	Key    string   `json:"key"`
	Fields []string `json:"fields,omitempty"`
}

// Open reads the cache in a file. One that is not there, or is broken, is empty.
func Open(file string) *Cache {
	c := &Cache{file: file, now: map[string]entry{}}
	if text, err := os.ReadFile(file); err == nil {
		_ = json.Unmarshal(text, &c.old) // a broken one is made anew
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

// fields returns what a scan of p finds, from the cache if the files are the same.
func (c *Cache) fields(p Package, actual func(string) string) []string {
	if c == nil {
		return scan(p, actual)
	}
	key, ok := fingerprint(p, actual)
	if old, hit := c.old[p.Path]; ok && hit && old.Key == key {
		c.keep(p.Path, old)
		return old.Fields
	}
	found := scan(p, actual)
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

// fingerprint is what must be the same for the result to be the same.
func fingerprint(p Package, actual func(string) string) (key string, ok bool) {
	h := sha256.New()
	fmt.Fprintln(h, cacheVersion, p.Path)
	for _, f := range p.Files {
		name := actual(f)
		info, err := os.Stat(name)
		if err != nil {
			return "", false
		}
		fmt.Fprintln(h, name, info.Size(), info.ModTime().UnixNano())
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), true
}
