// Package searchreq decodes search requests.
package searchreq

import (
	"encoding/json"
	"net/http"
	"sync"
)

// Query is what a client asks for.
type Query struct {
	Text   string   `json:"text"`
	Limit  int      `json:"limit"`
	Fields []string `json:"fields"`
	Admin  bool     `json:"admin"`
}

var queries = sync.Pool{New: func() any { return new(Query) }}

// Handler calls search with each decoded query.
func Handler(search func(w http.ResponseWriter, q *Query)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q := queries.Get().(*Query)
		defer queries.Put(q)
		if err := json.NewDecoder(r.Body).Decode(q); err != nil { // want "PV011"
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		search(w, q)
	}
}
