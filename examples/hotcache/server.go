package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// newServer returns the handler of all requests.
func newServer(files *cache[string, file]) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{path...}", func(w http.ResponseWriter, r *http.Request) { answer(w, r.PathValue("path"), files) })
	mux.HandleFunc("GET /-/cache", func(w http.ResponseWriter, _ *http.Request) { status(w, files) })
	mux.HandleFunc("POST /-/rebuild", func(w http.ResponseWriter, _ *http.Request) {
		files.want()
		w.WriteHeader(http.StatusAccepted)
	})
	return mux
}

// answer writes what is cached of one file. The hold on the map ends before the
// answer is written: a client that reads slowly holds nothing up.
func answer(w http.ResponseWriter, path string, files *cache[string, file]) {
	var f file
	known := false
	if !files.view(func(entries map[string]file, _ time.Time) { f, known = entries[path] }) {
		http.Error(w, "the cache is not built yet", http.StatusServiceUnavailable)
		return
	}
	if !known {
		http.Error(w, "no such file", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(f) // an error is the client's: it has gone
}

// status writes how the cache does, as text.
func status(w http.ResponseWriter, files *cache[string, file]) {
	if !files.view(func(entries map[string]file, built time.Time) {
		fmt.Fprintf(w, "%d files, built %s ago\n", len(entries), time.Since(built).Round(time.Millisecond))
	}) {
		fmt.Fprintln(w, "not built yet")
	}
	made, reused := files.stats()
	fmt.Fprintf(w, "maps made %d, used again %d\n", made, reused)
	if err := files.lastError(); err != nil {
		fmt.Fprintf(w, "the last build failed: %v\n", err)
	}
}
