package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

func TestAllRegularFilesAreCached(t *testing.T) {
	when := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	tree := fstest.MapFS{
		"a":       {Data: []byte("12345"), ModTime: when},
		"d/e/f":   {Data: []byte("1"), ModTime: when},
		"d/empty": {ModTime: when},
		"link":    {Mode: fs.ModeSymlink, Data: []byte("a")},
	}
	c := newCache(filesOf(tree))
	mustRebuild(t, c)
	want := map[string]file{"a": {5, when}, "d/e/f": {1, when}, "d/empty": {0, when}}
	c.view(func(entries map[string]file, _ time.Time) {
		if len(entries) != len(want) {
			t.Errorf("%d files, want %d", len(entries), len(want))
		}
		for path, f := range want {
			if entries[path] != f {
				t.Errorf("%s is %v, want %v", path, entries[path], f)
			}
		}
	})
}

func TestAFolderThatIsGoneFailsTheBuild(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	if err := newCache(filesOf(os.DirFS(dir))).rebuild(t.Context()); err == nil {
		t.Error("no error")
	}
}

// start runs the program on a folder until the test ends.
func start(t *testing.T, dir string, every time.Duration) (url string) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	address, ended := make(chan net.Addr, 1), make(chan error, 1)
	go func() {
		ended <- run(ctx, slog.New(slog.DiscardHandler), dir, every, "localhost:0", func(a net.Addr) { address <- a })
	}()
	select {
	case a := <-address:
		url = "http://" + a.String()
	case err := <-ended:
		stop()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the program ended with: %v", err)
		}
	})
	return url
}

func get(t *testing.T, url string) (status int, body string) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(text)
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not %s after a minute", what)
		}
	}
}

func TestTheServerFollowsTheFolder(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("first.txt", "12345")
	url := start(t, dir, 20*time.Millisecond)
	eventually(t, "built", func() bool { status, _ := get(t, url+"/first.txt"); return status == http.StatusOK })
	_, body := get(t, url+"/first.txt")
	var f file
	if err := json.Unmarshal([]byte(body), &f); err != nil || f.Size != 5 || time.Since(f.Modified) > time.Hour {
		t.Errorf("the answer is %q, %v", body, err)
	}
	for n := range 20 {
		name := fmt.Sprintf("file%d.txt", n)
		write(name, strings.Repeat("x", n))
		eventually(t, "seen "+name, func() bool {
			status, body := get(t, url+"/"+name)
			return status == http.StatusOK && strings.Contains(body, fmt.Sprintf(`"size":%d,`, n))
		})
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		eventually(t, "forgotten "+name, func() bool { status, _ := get(t, url+"/"+name); return status == http.StatusNotFound })
	}
	// A hold ends within an answer, so there are two maps, and another one for each
	// build that came in the middle of one.
	_, text := get(t, url+"/-/cache")
	var made, reused int
	if _, err := fmt.Sscanf(text[strings.Index(text, "maps made"):], "maps made %d, used again %d", &made, &reused); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if made+reused < 41 || reused <= made {
		t.Errorf("%d maps made and %d times used again, want more of the latter, in 41 builds or more", made, reused)
	}
}

func TestABuildCanBeAskedFor(t *testing.T) {
	dir := t.TempDir()
	url := start(t, dir, time.Hour)
	eventually(t, "built", func() bool { status, _ := get(t, url+"/x"); return status == http.StatusNotFound })
	if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := http.Post(url+"/-/rebuild", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != http.StatusAccepted {
		t.Errorf("the answer is %s", r.Status)
	}
	eventually(t, "built again", func() bool { status, _ := get(t, url+"/x"); return status == http.StatusOK })
}

func TestBeforeTheFirstBuildTheAnswerIs503(t *testing.T) {
	c := newCache(filesOf(fstest.MapFS{}))
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: newServer(c)}
	go server.Serve(l)
	defer server.Close()
	if status, _ := get(t, "http://"+l.Addr().String()+"/x"); status != http.StatusServiceUnavailable {
		t.Errorf("the answer is %d", status)
	}
	if _, text := get(t, "http://"+l.Addr().String()+"/-/cache"); !strings.Contains(text, "not built yet") {
		t.Errorf("the status is %s", text)
	}
}

func TestTheProgramNeedsAFolder(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "file")
	if err := os.WriteFile(plain, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{plain, filepath.Join(dir, "none")} {
		if err := run(t.Context(), slog.New(slog.DiscardHandler), dir, time.Second, "localhost:0", nil); err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v", dir, err)
		}
	}
}
