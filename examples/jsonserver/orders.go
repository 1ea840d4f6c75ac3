package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
)

// order is one of those that the service lists.
type order struct {
	ID       int      `json:"id"`
	Customer string   `json:"customer"`
	Items    [4]int   `json:"items"`
	Notes    []string `json:"notes,omitempty"`
}

// most bounds a list, and with it what the pools keep.
const most = 1000

// answer is the memory of one request.
type answer struct {
	list []order
	text bytes.Buffer
}

var answers = sync.Pool{New: func() any { return new(answer) }}

// orders lists as many orders as ?n= says.
func orders(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.URL.Query().Get("n"))
	if err != nil || n < 0 || n > most {
		http.Error(w, "n is a number from 0 to 1000", http.StatusBadRequest)
		return
	}
	a := answers.Get().(*answer)
	defer func() {
		clear(a.list)
		answers.Put(a)
	}()
	a.list = a.list[:0]
	a.text.Reset()
	for i := range n {
		a.list = append(a.list, order{ID: i, Customer: "customer " + strconv.Itoa(i%7), Items: [4]int{i, i + 1, i + 2, i + 3}})
	}
	if err := json.NewEncoder(&a.text).Encode(a.list); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(a.text.Bytes())
}
