package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/poolproof/poolproof/internal/ledger"
)

// site is the program, run in this process on a file of the test.
type site struct {
	t    *testing.T
	file string
	url  string
	log  *lines
}

// lines collects the log.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) contain(s string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Contains(l.text.String(), s)
}

// client does not follow redirects.
var client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// start runs the program until the test ends.
func start(t *testing.T, file string) *site {
	s := &site{t: t, file: file, log: &lines{}}
	ctx, stop := context.WithCancel(context.Background())
	address, ended := make(chan net.Addr, 1), make(chan error, 1)
	go func() {
		ended <- run(ctx, slog.New(slog.NewTextHandler(s.log, nil)), file, "localhost:0", func(a net.Addr) { address <- a })
	}()
	select {
	case a := <-address:
		s.url = "http://" + a.String()
	case err := <-ended:
		stop()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		client.CloseIdleConnections()
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the program ended with: %v", err)
		}
	})
	return s
}

// version is the text of a file in which everything is of one version.
func version(n int) string {
	return fmt.Sprintf(`{"default": "https://default.example/%d", "redirects": {"/a": {"to": "https://a.example/%[1]d"}, "/b": {"to": "https://b.example/%[1]d"}}}`, n)
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

// get returns where a path is redirected to and by which configuration.
func get(url string) (to, config string, err error) {
	r, err := client.Get(url)
	if err != nil {
		return "", "", err
	}
	defer r.Body.Close()
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return "", "", err
	}
	return r.Header.Get("Location"), r.Header.Get("X-Config"), nil
}

func (s *site) status() string {
	s.t.Helper()
	r, err := client.Get(s.url + "/-/config")
	if err != nil {
		s.t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

// serves waits until the site serves a version.
func (s *site) serves(n int) {
	s.t.Helper()
	want := fmt.Sprint("https://a.example/", n)
	eventually(s.t, fmt.Sprintf("served version %d", n), func() bool {
		to, _, err := get(s.url + "/a")
		if err != nil {
			s.t.Fatal(err)
		}
		return to == want
	})
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not %s after a minute", what)
		}
	}
}

func begin(t *testing.T) *site {
	t.Helper()
	file := filepath.Join(t.TempDir(), "redirects.json")
	write(t, file, version(1))
	s := start(t, file)
	s.serves(1)
	return s
}

func TestEachWayOfSavingIsNoticed(t *testing.T) {
	beside := func(s *site, name string) string { return filepath.Join(filepath.Dir(s.file), name) }
	for _, c := range []struct {
		name string
		save func(t *testing.T, s *site, text string)
	}{
		{"written over", func(t *testing.T, s *site, text string) { write(t, s.file, text) }},
		{"written beside and renamed", func(t *testing.T, s *site, text string) {
			write(t, beside(s, ".redirects.json.tmp"), text)
			rename(t, beside(s, ".redirects.json.tmp"), s.file)
		}},
		{"old one renamed, new one written, as vim does", func(t *testing.T, s *site, text string) {
			rename(t, s.file, s.file+"~")
			write(t, s.file, text)
			if err := os.Remove(s.file + "~"); err != nil {
				t.Fatal(err)
			}
		}},
		{"written in pieces", func(t *testing.T, s *site, text string) {
			f, err := os.Create(s.file)
			if err != nil {
				t.Fatal(err)
			}
			for i := range text {
				if _, err := f.WriteString(text[i : i+1]); err != nil {
					t.Fatal(err)
				}
				if i%40 == 0 {
					time.Sleep(time.Millisecond)
				}
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
		}},
		{"removed, and later there again", func(t *testing.T, s *site, text string) {
			if err := os.Remove(s.file); err != nil {
				t.Fatal(err)
			}
			time.Sleep(3 * settle)
			write(t, s.file, text)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := begin(t)
			for n := 2; n <= 4; n++ {
				c.save(t, s, version(n))
				s.serves(n)
			}
		})
	}
}

// Kubernetes mounts a ConfigMap so: the file is a link into ..data, which is a
// link to a folder that is replaced as a whole. No event has the file's name.
func TestALinkIntoAFolderThatIsReplacedIsFollowed(t *testing.T) {
	dir := t.TempDir()
	mount := func(n int) {
		t.Helper()
		folder := fmt.Sprintf("..v%d", n)
		if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, folder, "redirects.json"), version(n))
		if err := os.Symlink(folder, filepath.Join(dir, "..data_tmp")); err != nil {
			if runtime.GOOS == "windows" {
				t.Skip("links need a privilege here: ", err)
			}
			t.Fatal(err)
		}
		rename(t, filepath.Join(dir, "..data_tmp"), filepath.Join(dir, "..data"))
	}
	mount(1)
	file := filepath.Join(dir, "redirects.json")
	if err := os.Symlink(filepath.Join("..data", "redirects.json"), file); err != nil {
		t.Fatal(err)
	}
	s := start(t, file)
	for n := 1; n <= 4; n++ {
		if n > 1 {
			mount(n)
		}
		s.serves(n)
	}
}

func TestAWrongFileChangesNothingAndIsReported(t *testing.T) {
	s := begin(t)
	for n, wrong := range []string{
		`{"redirects": {"/a": {"to": "https://a.exam`,
		`{"redirects": {"/a": {"to": "ftp://a.example/"}}}`,
		``,
	} {
		write(t, s.file, wrong)
		eventually(t, "reported", func() bool { return strings.Contains(s.status(), "not taken over") })
		s.serves(n + 1)
		eventually(t, "in the log", func() bool { return s.log.contain("the old configuration stays") })
		write(t, s.file, version(n+2))
		s.serves(n + 2)
		eventually(t, "without a report", func() bool { return !strings.Contains(s.status(), "not taken over") })
	}
}

func TestTheDraftOfAWrongFileIsUsedAgain(t *testing.T) {
	usesAgain(t)
	s := newStore("test", slog.New(slog.DiscardHandler))
	for n := range 10 {
		if err := s.load([]byte(version(n))); err != nil {
			t.Fatal(err)
		}
		if err := s.load([]byte("wrong")); err == nil {
			t.Error("a wrong file is taken over")
		}
	}
	if made := s.configs.Stats().News; made != 2 {
		t.Errorf("%d configurations made, want 2", made)
	}
}

// The wrong file is put right by what was there before: its contents are not
// those of the last look, but those that are served.
func TestAFileThatIsPutBackIsTakenOver(t *testing.T) {
	s := begin(t)
	write(t, s.file, "wrong")
	eventually(t, "reported", func() bool { return strings.Contains(s.status(), "not taken over") })
	write(t, s.file, version(1))
	eventually(t, "taken over", func() bool { return !strings.Contains(s.status(), "not taken over") })
	s.serves(1)
}

func TestAFileThatIsRemovedIsStillServed(t *testing.T) {
	s := begin(t)
	if err := os.Remove(s.file); err != nil {
		t.Fatal(err)
	}
	time.Sleep(5 * settle)
	s.serves(1)
	if text := s.status(); strings.Contains(text, "not taken over") {
		t.Errorf("a file that is gone is no wrong file: %s", text)
	}
}

// A configuration is built in the memory of an older one, of which nothing may
// be left.
func TestWhatALaterFileDoesNotHaveIsNotServed(t *testing.T) {
	s := newStore("test", slog.New(slog.DiscardHandler))
	for n := range 6 {
		text := fmt.Sprintf(`{"redirects": {"/only/%d": {"to": "https://a.example/"}}}`, n)
		if n%2 == 0 {
			text = `{"default": "https://default.example/"}`
		}
		if err := s.load([]byte(text)); err != nil {
			t.Fatal(err)
		}
		s.current.Do(func(c *Config) {
			if n%2 == 0 && len(c.Redirects) != 0 || n%2 == 1 && (len(c.Redirects) != 1 || c.Default != "") {
				t.Errorf("file %d is %s, and served are %v", n, text, *c)
			}
		})
	}
}

func TestOtherFilesInTheFolderCauseNoReload(t *testing.T) {
	s := begin(t)
	_, before, err := get(s.url + "/a")
	if err != nil {
		t.Fatal(err)
	}
	write(t, s.file+".other", version(7))
	write(t, s.file+".new", version(1))
	rename(t, s.file+".new", s.file) // the same contents, and not for a moment others
	time.Sleep(5 * settle)
	if _, after, err := get(s.url + "/a"); err != nil || after != before {
		t.Errorf("configuration %s was replaced by %s, %v", before, after, err)
	}
}

func TestConcurrentRequestsAreAnsweredFromWholeVersionsInTheirOrder(t *testing.T) {
	const versions, requesters = 40, 8
	s := begin(t)
	var clients sync.WaitGroup
	var written atomic.Bool
	for i := range requesters {
		clients.Go(func() {
			last := 0
			seen := map[string]int{} // versions by the generation that answered
			for end := false; !end; {
				end = written.Load()
				path := []string{"/a", "/b", "/else"}[(i+last)%3]
				to, config, err := get(s.url + path)
				if err != nil {
					t.Error(err)
					return
				}
				var n int
				if _, err := fmt.Sscanf(to[strings.LastIndex(to, "/")+1:], "%d", &n); err != nil {
					t.Errorf("%s is redirected to %q", path, to)
					return
				}
				if was, ok := seen[config]; ok && was != n {
					t.Errorf("configuration %s answered as version %d and as %d", config, was, n)
				}
				if seen[config] = n; n < last {
					t.Errorf("version %d was served after version %d", n, last)
				}
				last = n
			}
			if last != versions {
				t.Errorf("version %d is served after %d was", last, versions)
			}
		})
	}
	for n := 2; n <= versions; n++ {
		write(t, s.file+".new", version(n))
		rename(t, s.file+".new", s.file)
		s.serves(n)
	}
	written.Store(true)
	clients.Wait()
	// How many depends on the requests that hold one while the next is loaded. The
	// exact number is a matter of the next test.
	var made int
	text := s.status()
	if _, err := fmt.Sscanf(text[strings.Index(text, "configurations made"):], "configurations made %d,", &made); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if made >= versions {
		t.Errorf("%d configurations made for %d versions: none was used again", made, versions)
	}
}

// A request that began before a reload is answered as of then, and its memory is
// not written before it has ended.
func TestASlowRequestKeepsItsConfiguration(t *testing.T) {
	usesAgain(t)
	s := newStore("test", slog.New(slog.DiscardHandler))
	if err := s.load([]byte(version(1))); err != nil {
		t.Fatal(err)
	}
	held := s.current.Acquire()
	for n := 2; n <= 6; n++ {
		if err := s.load([]byte(version(n))); err != nil {
			t.Fatal(err)
		}
	}
	if to, _ := held.Value().find("/a"); to.To != "https://a.example/1" {
		t.Errorf("the request is redirected to %s now", to.To)
	}
	if made := s.configs.Stats().News; made != 3 {
		t.Errorf("%d configurations made while one request was slow, want 3", made)
	}
	held.Release()
	for n := 7; n <= 12; n++ {
		if err := s.load([]byte(version(n))); err != nil {
			t.Fatal(err)
		}
	}
	if made := s.configs.Stats().News; made != 3 {
		t.Errorf("%d configurations made in all, want 3 still", made)
	}
	if err := s.close(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestTheProgramDoesNotStartWithoutAConfiguration(t *testing.T) {
	dir := t.TempDir()
	wrong := filepath.Join(dir, "wrong.json")
	write(t, wrong, `{"redirects": {"x": {}}}`)
	for _, file := range []string{wrong, filepath.Join(dir, "none.json"), filepath.Join(dir, "no", "folder.json")} {
		err := run(t.Context(), slog.New(slog.DiscardHandler), file, "localhost:0", func(net.Addr) { t.Error("it serves") })
		if err == nil || !strings.Contains(err.Error(), filepath.Dir(file)) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func TestTheProgramSaysWhenItsAddressIsTaken(t *testing.T) {
	s := begin(t)
	err := run(t.Context(), slog.New(slog.DiscardHandler), s.file, strings.TrimPrefix(s.url, "http://"), nil)
	if err == nil {
		t.Error("two programs serve at one address")
	}
}

// usesAgain skips the test in the checked build, where a value is used again only after
// 8 others have become free.
func usesAgain(t *testing.T) {
	t.Helper()
	if ledger.Checked {
		t.Skip("the checked build uses values again late")
	}
}
