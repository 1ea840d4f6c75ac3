package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// brokenPage is the page that is broken for good.
const brokenPage = 3

// api is a server with some pages of two issues.
type api struct {
	pages int
	now   func() time.Time

	mu    sync.Mutex
	tries map[int]int // by page
}

func newAPI(pages int, now func() time.Time) *api {
	return &api{pages: pages, now: now, tries: make(map[int]int)}
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	number, err := strconv.Atoi(r.URL.Query().Get("page"))
	if err != nil {
		http.Error(w, "page is no number", http.StatusBadRequest)
		return
	}
	time.Sleep(time.Duration(rand.IntN(5)) * time.Millisecond) // answers come out of order
	a.mu.Lock()
	a.tries[number]++
	tries := a.tries[number]
	a.mu.Unlock()
	switch {
	case number == brokenPage:
		http.Error(w, "gone", http.StatusGone)
	case number%4 == 2 && tries == 1:
		http.Error(w, "busy", http.StatusServiceUnavailable)
	default:
		var p page
		if number <= a.pages {
			for i := 2*number - 1; i <= 2*number; i++ {
				p.Issues = append(p.Issues, Issue{i, fmt.Sprint("issue of page ", number)})
			}
		}
		json.NewEncoder(w).Encode(p)
	}
}
