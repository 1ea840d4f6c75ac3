package main

import (
	"fmt"
	"net/http"
)

// server answers requests from the current configuration.
type server struct{ store *store }

// ServeHTTP redirects. GET /-/config tells which configuration is served, and why
// a newer one is not.
//
// One hold for the whole request: all that an answer is made of is of one
// configuration, however long that takes.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	config := s.store.current.Acquire()
	defer config.Release()
	if !config.Ok() {
		http.Error(w, "closed", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("X-Config", fmt.Sprint(config.Generation()))
	if r.URL.Path == "/-/config" {
		s.status(w, config.Value(), config.Generation())
		return
	}
	to, ok := config.Value().find(r.URL.Path)
	if !ok {
		http.NotFound(w, r)
		return
	}
	http.Redirect(w, r, to.To, to.Status)
}

// status writes what is served, as text.
func (s *server) status(w http.ResponseWriter, c *Config, generation uint64) {
	stats := s.store.configs.Stats()
	fmt.Fprintf(w, "configuration %d: %d redirects, default %q\n", generation, len(c.Redirects), c.Default)
	fmt.Fprintf(w, "configurations made %d, used again %d\n", stats.News, stats.Reuses)
	if err := s.store.lastError(); err != nil {
		fmt.Fprintf(w, "the file was not taken over: %v\n", err)
	}
}
