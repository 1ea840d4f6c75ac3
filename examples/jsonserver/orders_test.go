package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

func TestOrdersAreListed(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(orders))
	defer s.Close()
	var wg sync.WaitGroup
	for _, n := range []int{100, 0, 7, 1000, 7, 0} {
		wg.Go(func() {
			resp, err := http.Get(fmt.Sprint(s.URL, "/orders?n=", n))
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			var list []order
			if err := json.NewDecoder(resp.Body).Decode(&list); err != nil || len(list) != n || n > 0 && list[n-1].ID != n-1 {
				t.Errorf("%d orders, want %d: %v", len(list), n, err)
			}
		})
	}
	wg.Wait()
	for _, n := range []string{"", "-1", "1001", "x"} {
		resp, err := http.Get(s.URL + "/orders?n=" + n)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusBadRequest {
			t.Errorf("n=%s: %s", n, resp.Status)
		}
	}
}
