// Load sends requests to a server on several connections, and prints how many a second it
// answered and how long they took.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"slices"
	"sync"
	"time"
)

func main() {
	addr := flag.String("addr", "", "address of the server")
	path := flag.String("path", "/orders?n=100", "what to ask for")
	n := flag.Int("n", 10000, "requests in all")
	c := flag.Int("c", 4, "connections")
	closed := flag.Bool("close", false, "open a connection for each request")
	flag.Parse()
	took, err := send("http://"+*addr+*path, *n, *c, *closed)
	if err != nil {
		log.Fatal(err)
	}
	slices.Sort(took.each)
	at := func(share float64) time.Duration { return took.each[int(share*float64(len(took.each)-1))] }
	fmt.Printf("%d requests in %v\n", len(took.each), took.all.Round(time.Millisecond))
	fmt.Printf("Requests/sec: %.1f\n", float64(len(took.each))/took.all.Seconds())
	fmt.Printf("  50%% %v\n  99%% %v\n", at(0.5).Round(time.Microsecond), at(0.99).Round(time.Microsecond))
}

// times are those of requests.
type times struct {
	all  time.Duration
	each []time.Duration
}

// send sends n requests on c connections, as fast as they go. If closed, a connection is closed
// after each request, and the next one opens another.
func send(url string, n, c int, closed bool) (times, error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: c, DisableKeepAlives: closed}, Timeout: 10 * time.Second}
	each := make([]time.Duration, n)
	failed := make([]error, c)
	start := time.Now()
	var wg sync.WaitGroup
	for k := range c {
		wg.Go(func() {
			for i := k; i < n && failed[k] == nil; i += c {
				begun := time.Now()
				failed[k] = get(client, url)
				each[i] = time.Since(begun)
			}
		})
	}
	wg.Wait()
	for _, err := range failed {
		if err != nil {
			return times{}, err
		}
	}
	return times{time.Since(start), each}, nil
}

func get(client *http.Client, url string) error {
	resp, err := client.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, resp.Status)
	}
	return nil
}
