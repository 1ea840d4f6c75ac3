package hotswap_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/poolproof/poolproof/hotswap"
	"github.com/poolproof/poolproof/internal/expect"
)

// site serves the settings of a file, and follows its changes.
type site struct {
	pool    *hotswap.Pool[settings]
	current *hotswap.Container[settings]
}

// reload publishes the file, or leaves what is current if it is not right.
func (s *site) reload(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	draft := s.pool.Get()
	defer draft.Discard()
	if err := draft.Value().load(string(text)); err != nil {
		return err
	}
	return s.current.Update(&draft)
}

// follow reloads the file whenever changed tells, until ctx ends. In a program
// that is a file watcher, a signal, or a timer.
func (s *site) follow(ctx context.Context, file string, changed <-chan struct{}) {
	for {
		select {
		case <-changed:
			if err := s.reload(file); err != nil {
				fmt.Println("kept the old settings:", err)
			}
		case <-ctx.Done():
			return
		}
	}
}

// ServeHTTP answers from one version, however long it takes.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ref := s.current.Acquire()
	defer ref.Release()
	if !ref.Ok() {
		http.Error(w, "no settings yet", http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintf(w, "%s %s", ref.Value().values["first"], ref.Value().values["second"])
}

func get(url string) (string, error) {
	resp, err := http.Get(url)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return string(body), err
}

// A file of settings is reloaded while handlers serve it.
func Example_reloadedFile() {
	dir, err := os.MkdirTemp("", "settings")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "settings")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			fmt.Println(err)
		}
	}

	pool := newSettings()
	s := &site{pool, hotswap.New(pool)}
	server := httptest.NewServer(s)
	defer server.Close()
	fmt.Println(get(server.URL))
	write("first=1\nsecond=1")
	fmt.Println(s.reload(file))
	fmt.Println(get(server.URL))
	write("first=2\nsecond")
	fmt.Println(s.reload(file))
	fmt.Println(get(server.URL))
	// Output:
	// no settings yet
	//  <nil>
	// <nil>
	// 1 1 <nil>
	// "second" is not KEY=VALUE
	// 1 1 <nil>
}

func TestHandlersServeWholeVersionsWhileTheFileChanges(t *testing.T) {
	file := filepath.Join(t.TempDir(), "settings")
	pool := newSettings()
	s := &site{pool, hotswap.New(pool)}
	server := httptest.NewServer(s)
	defer server.Close()
	changed := make(chan struct{})
	ctx, stop := context.WithCancel(context.Background())
	var follower, clients sync.WaitGroup
	follower.Go(func() { s.follow(ctx, file, changed) })
	const versions = 50
	done := make(chan struct{})
	for range 4 {
		clients.Go(func() {
			for last := false; !last; {
				select {
				case <-done:
					last = true // and one answer more
				default:
				}
				body, err := get(server.URL)
				if err != nil {
					t.Error(err)
					return
				}
				var first, second int
				if _, err := fmt.Sscan(body, &first, &second); err == nil && first != second {
					t.Errorf("an answer is of versions %d and %d", first, second)
				}
				if last && first != versions {
					t.Errorf("the last answer is of version %d, want %d", first, versions)
				}
			}
		})
	}
	for version := 1; version <= versions; version++ {
		text := fmt.Sprintf("first=%d\nsecond=%d", version, version)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		changed <- struct{}{}
	}
	expect.Eventually(t, "reloaded for the last time", func() (last bool) {
		s.current.Do(func(x *settings) { last = x.values["first"] == fmt.Sprint(versions) })
		return last
	})
	close(done)
	clients.Wait()
	stop()
	follower.Wait()
	if err := s.current.Close(context.Background()); err != nil {
		t.Error(err)
	}
	// How many are made depends on the readers that hold one while the next is
	// loaded.
	if s := pool.Stats(); s.News+s.Reuses != versions || s.Reuses == 0 {
		t.Errorf("%d values made and %d used again for %d versions", s.News, s.Reuses, versions)
	}
}

// prices is a cache that is rebuilt as a whole.
type prices struct {
	made    time.Time
	entries map[string]int
}

// An in-memory cache is rebuilt in the background; readers have the old one
// until the new one is ready.
func Example_rebuiltCache() {
	pool := hotswap.NewPool(hotswap.Options[prices]{
		New:   func() *prices { return &prices{entries: make(map[string]int)} },
		Reset: func(x *prices) bool { clear(x.entries); return true },
	})
	cache := hotswap.New(pool)
	source := map[string]int{"apple": 3}

	rebuild := func() error {
		draft := pool.Get()
		x := draft.Value()
		x.made = time.Now()
		for name, price := range source {
			x.entries[name] = price
		}
		return cache.Update(&draft)
	}
	price := func(name string) (p int) {
		cache.Do(func(x *prices) { p = x.entries[name] })
		return p
	}

	rebuilt := make(chan error)
	go func() { // in a program: with each tick of a time.Ticker
		for i := range 3 {
			source["apple"] = 3 + i
			rebuilt <- rebuild()
		}
		close(rebuilt)
	}()
	for err := range rebuilt {
		if err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println("apple", price("apple"), "pear", price("pear"))
	fmt.Println(pool.Stats().News, "caches made for 3 builds")
	// Output:
	// apple 5 pear 0
	// 2 caches made for 3 builds
}
