// Pages fetches the pages of a paginated HTTP API, several at a time, and prints
// their issues in the order of the pages.
//
//	go run ./systems/flow/examples/pages [-picture] [-at URL]
//
// Without -at it serves an API of its own, in which one request of four fails at
// first and one page is broken for good.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"time"

	"github.com/poolproof/poolproof/systems/flow"
)

func main() {
	picture := flag.Bool("picture", false, "print the pipeline in place of running it")
	at := flag.String("at", "", "`URL` of the API; one of its own if empty")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()

	c := &client{http: http.DefaultClient, url: *at, pause: 50 * time.Millisecond}
	if c.url == "" {
		server := httptest.NewServer(newAPI(7, time.Now))
		defer server.Close()
		c.url = server.URL
	}
	if *picture {
		fmt.Print(flow.Describe(c.issues()))
		return
	}
	if err := list(ctx, c, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "pages:", err)
		os.Exit(1)
	}
}

// Issue is an item of the API.
type Issue struct {
	Number int    `json:"number"`
	Title  string `json:"title"`
}

// page is an answer of the API. A page beyond the last one has no issues.
type page struct {
	Issues []Issue `json:"issues"`
}

// client asks the API.
type client struct {
	http  *http.Client
	url   string
	pause time.Duration // before the second try
}

// statusError is an answer that is no page.
type statusError struct {
	page, code int
}

func (e *statusError) Error() string { return fmt.Sprintf("page %d: status %d", e.page, e.code) }

// temporary says which errors are worth another try.
func temporary(err error) bool {
	var s *statusError
	return !errors.As(err, &s) || s.code >= 500 || s.code == http.StatusTooManyRequests
}

func (c *client) get(ctx context.Context, number int) (page, error) {
	request, err := http.NewRequestWithContext(ctx, "GET", fmt.Sprintf("%s/issues?page=%d", c.url, number), nil)
	if err != nil {
		return page{}, err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return page{}, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		io.Copy(io.Discard, response.Body)
		return page{}, &statusError{number, response.StatusCode}
	}
	var p page
	if err := json.NewDecoder(response.Body).Decode(&p); err != nil {
		return page{}, fmt.Errorf("page %d: %w", number, err)
	}
	return p, nil
}

// issues is the pipeline: pages are asked for without knowing how many there are,
// four at a time, until one is empty.
func (c *client) issues() flow.Stream[Issue] {
	numbers := flow.FromSeq(func(yield func(int) bool) {
		for n := 1; yield(n); n++ {
		}
	})
	get := flow.Retry(flow.Backoff{Tries: 3, Pause: c.pause, If: temporary}, flow.Timeout(10*time.Second, c.get))
	pages := flow.MapOrdered(numbers, 4, get).Name("get").TakeWhile(func(p page) bool { return len(p.Issues) > 0 })
	return flow.FlatMapSlice(pages, func(p page) ([]Issue, error) { return p.Issues, nil })
}

// list prints the issues, and in place of those of a page that could not be fetched
// why.
func list(ctx context.Context, c *client, w io.Writer) error {
	return c.issues().Each(ctx, func(i Issue, err error) error {
		if err != nil {
			_, err = fmt.Fprintf(w, "(missing: %v)\n", err)
			return err
		}
		_, err = fmt.Fprintf(w, "#%d %s\n", i.Number, i.Title)
		return err
	})
}
