// Package jsondecode takes orders of a shop as JSON.
package jsondecode

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
)

type request struct {
	Customer string         `json:"customer"`
	Coupon   string         `json:"coupon"`
	Items    map[string]int `json:"items"`
}

var requests = sync.Pool{New: func() any { return new(request) }}

// decode returns a request that the caller must release, if there is no error.
func decode(r *http.Request) (*request, error) {
	req := requests.Get().(*request)
	*req = request{}
	if err := json.NewDecoder(r.Body).Decode(req); err != nil {
		req.release()
		return nil, err
	}
	if req.Customer == "" {
		req.release()
		return nil, errors.New("no customer")
	}
	return req, nil
}

func (r *request) release() { requests.Put(r) }

// Shop sells things.
type Shop struct {
	Prices map[string]int
	Order  func(customer string, items map[string]int, cents int) error
}

func (s *Shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	req, err := decode(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	defer req.release()
	cents := 0
	for item, n := range req.Items {
		price, ok := s.Prices[item]
		if !ok || n < 1 {
			http.Error(w, "unknown item or no number: "+item, http.StatusBadRequest)
			return
		}
		cents += price * n
	}
	if req.Coupon != "" {
		cents -= cents / 10
	}
	if err := s.Order(req.Customer, req.Items, cents); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	fmt.Fprintf(w, "%d\n", cents)
}
