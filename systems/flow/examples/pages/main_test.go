package main

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/systems/flow"
)

func TestItListsAllPagesInOrder(t *testing.T) {
	a := newAPI(7, time.Now)
	server := httptest.NewServer(a)
	defer server.Close()
	var out strings.Builder
	if err := list(t.Context(), &client{http: server.Client(), url: server.URL, pause: time.Millisecond}, &out); err != nil {
		t.Fatal(err)
	}
	if want := `#1 issue of page 1
#2 issue of page 1
#3 issue of page 2
#4 issue of page 2
(missing: page 3: status 410)
#7 issue of page 4
#8 issue of page 4
#9 issue of page 5
#10 issue of page 5
#11 issue of page 6
#12 issue of page 6
#13 issue of page 7
#14 issue of page 7
`; out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.tries[2] != 2 || a.tries[6] != 2 || a.tries[brokenPage] != 1 {
		t.Errorf("tries by page: %v; want two of 2 and 6, one of %d", a.tries, brokenPage)
	}
	if last := 7 + 1 + 4 + 2*4 + 1; len(a.tries) > last { // in work and waiting when the empty page came
		t.Errorf("%d pages were asked for, want at most %d", len(a.tries), last)
	}
}

func TestAServerThatIsGoneIsAnErrorOfEachPage(t *testing.T) {
	server := httptest.NewServer(newAPI(1, time.Now))
	server.Close()
	c := &client{http: server.Client(), url: server.URL, pause: time.Millisecond}
	failed := 0
	err := c.issues().Each(t.Context(), func(_ Issue, err error) error {
		if err == nil || !strings.Contains(err.Error(), "failed in 3 tries") {
			t.Errorf("error %v", err)
		}
		if failed++; failed == 5 {
			return context.Canceled
		}
		return nil
	})
	if err != context.Canceled {
		t.Errorf("error %v", err)
	}
}

func TestThePicture(t *testing.T) {
	got := flow.Describe(new(client).issues())
	for _, want := range []string{"1: sequence", "2: get, 4 goroutines", "take while", "flat map", "→ the sink"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
