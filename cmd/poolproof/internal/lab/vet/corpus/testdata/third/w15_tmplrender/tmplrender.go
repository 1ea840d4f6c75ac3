// Package tmplrender renders pages and keeps the rendered ones for a while.
package tmplrender

import (
	"bytes"
	"html/template"
	"net/http"
	"sync"
	"time"
)

var pages = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Page is a rendered page.
type Page struct {
	Body    []byte
	Expires time.Time
}

// Site renders templates.
type Site struct {
	tmpl *template.Template
	ttl  time.Duration

	mu    sync.Mutex
	cache map[string]*Page
}

// NewSite returns a Site.
func NewSite(t *template.Template, ttl time.Duration) *Site {
	return &Site{tmpl: t, ttl: ttl, cache: make(map[string]*Page)}
}

func (s *Site) render(name string) (*Page, error) {
	b := pages.Get().(*bytes.Buffer)
	defer pages.Put(b)
	b.Reset()
	if err := s.tmpl.ExecuteTemplate(b, name, nil); err != nil {
		return nil, err
	}
	return &Page{Body: b.Bytes(), Expires: time.Now().Add(s.ttl)}, nil // want PV003
}

func (s *Site) page(name string) (*Page, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.cache[name]; p != nil && time.Now().Before(p.Expires) {
		return p, nil
	}
	p, err := s.render(name)
	if err == nil {
		s.cache[name] = p
	}
	return p, err
}

func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p, err := s.page(r.URL.Path)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	w.Write(p.Body)
}
