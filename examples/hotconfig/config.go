package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Config is the content of the file. It is not changed once it is served.
type Config struct {
	// Default is where requests go that no redirect is for; empty: nowhere.
	Default string `json:"default"`
	// Redirects are by path.
	Redirects map[string]Redirect `json:"redirects"`
}

// Redirect is where a request goes.
type Redirect struct {
	To     string `json:"to"`
	Status int    `json:"status"` // 0: 302
}

// newConfig returns an empty Config.
func newConfig() *Config { return &Config{Redirects: make(map[string]Redirect)} }

// reset empties c and keeps the memory of its map. Without that the next file
// would be added to this one: json.Unmarshal keeps what is in a map.
func (c *Config) reset() bool {
	clear(c.Redirects)
	c.Default = ""
	// A file may say "redirects": null, which drops the map.
	if c.Redirects == nil {
		c.Redirects = make(map[string]Redirect)
	}
	return true
}

// read fills c, which must be empty, from the text of a file, and checks it. The
// error names everything that is wrong. c is not to be used after one.
func (c *Config) read(text io.Reader) error {
	d := json.NewDecoder(text)
	d.DisallowUnknownFields()
	if err := d.Decode(c); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("there is something behind the closing brace")
	}
	return c.check()
}

// check returns what is wrong in c.
func (c *Config) check() error {
	var wrong []error
	if c.Default != "" {
		if err := checkTarget(c.Default); err != nil {
			wrong = append(wrong, fmt.Errorf("default: %w", err))
		}
	}
	for path, r := range c.Redirects {
		if !strings.HasPrefix(path, "/") {
			wrong = append(wrong, fmt.Errorf("redirect %q: a path begins with /", path))
		}
		if err := checkTarget(r.To); err != nil {
			wrong = append(wrong, fmt.Errorf("redirect %q: %w", path, err))
		}
		if r.Status != 0 && !slices.Contains(statuses, r.Status) {
			wrong = append(wrong, fmt.Errorf("redirect %q: status %d is no redirect; write one of %d", path, r.Status, statuses))
		}
	}
	slices.SortFunc(wrong, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(wrong...)
}

// statuses are those that redirect.
var statuses = []int{
	http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
	http.StatusTemporaryRedirect, http.StatusPermanentRedirect,
}

func checkTarget(target string) error {
	u, err := url.Parse(target)
	switch {
	case err != nil:
		return err
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("%q is no target; write https://HOST/PATH", target)
	}
	return nil
}

// find returns where a request for path goes.
func (c *Config) find(path string) (r Redirect, ok bool) {
	r, ok = c.Redirects[path]
	if !ok && c.Default != "" {
		r, ok = Redirect{To: c.Default}, true
	}
	if r.Status == 0 {
		r.Status = http.StatusFound
	}
	return r, ok
}
