package profile

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	pprof "github.com/google/pprof/profile"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
)

func encoded(t *testing.T, p *pprof.Profile) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func heap(t *testing.T) []byte {
	return encoded(t, made(heapTypes, map[string][]int64{"m.f m.main": {2, 64, 0, 0}, "m.g m.main": {0, 0, 1, 8}}))
}

var ofHeap = Sample{[]Frame{{"m.f", "/m/a.go", 3}, {"m.main", "/m/a.go", 3}}, 2, 64}

func file(t *testing.T, data []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "profile")
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestProfilesAreReadFromFilesAndAddresses(t *testing.T) {
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.String())
		w.Write(heap(t))
	}))
	defer server.Close()
	cpu := write(t, made(cpuTypes, map[string][]int64{"runtime.gcBgMarkWorker": {3, 30}, "m.f": {1, 10}}))
	plain, err := gzip.NewReader(bytes.NewReader(heap(t)))
	if err != nil {
		t.Fatal(err)
	}
	uncompressed, err := io.ReadAll(plain)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{file(t, heap(t)), cpu, server.URL + "/debug/pprof/allocs?seconds=1", file(t, uncompressed)}
	got, err := Read(t.Context(), names, time.Minute)
	want := Taken{[]Sample{ofHeap, ofHeap, ofHeap}, CPU{Samples: 4, Collect: 3}, []string{names[0], names[2], names[3]}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	if len(asked) != 1 || asked[0] != "/debug/pprof/allocs?seconds=1" {
		t.Errorf("asked for %v", asked)
	}
}

func TestAProfileThatCannotBeUsedIsExplained(t *testing.T) {
	stripped := made(heapTypes, nil)
	l := &pprof.Location{ID: 1, Address: 0x1234}
	stripped.Location, stripped.Sample = []*pprof.Location{l}, []*pprof.Sample{{Location: []*pprof.Location{l}, Value: []int64{1, 16, 0, 0}}}
	text := "heap profile: 1: 16 [1: 16] @ heap/1048576\n1: 16 [1: 16] @ 0x1234\n"
	whole := heap(t)
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":                  {nil, "it is empty"},
		"no samples":             {encoded(t, made(heapTypes, nil)), "the profile has no samples"},
		"nothing allocated":      {encoded(t, made(heapTypes, map[string][]int64{"m.f": {0, 0, 1, 8}})), "nothing was allocated while"},
		"inuse only":             {encoded(t, made(heapTypes[2:], map[string][]int64{"m.f": {1, 8}})), "does not say what was allocated, only inuse_objects, inuse_space; take /debug/pprof/allocs"},
		"of a mutex":             {encoded(t, made([]string{"contentions/count", "delay/nanoseconds"}, map[string][]int64{"m.f": {1, 8}})), "only contentions, delay"},
		"stripped":               {encoded(t, stripped), "addresses and no names of functions; go tool pprof -proto"},
		"HTML":                   {[]byte("\n<!DOCTYPE html><html>"), "a page of HTML"},
		"HTML in short":          {[]byte("<HTML><body>404"), "a page of HTML"},
		"text of a profile":      {[]byte(text), "leave debug=1 out"},
		"text":                   {[]byte("no such profile\n"), `it is text and no profile: "no such profile"`},
		"binary":                 {[]byte{0x7f, 'E', 'L', 'F', 0, 1, 2, 3}, "no profile in the format of pprof"},
		"cut off":                {whole[:len(whole)/2], "compressed, but broken or cut off"},
		"broken":                 {append([]byte{0x1f, 0x8b, 9}, whole[3:]...), "compressed, but broken or cut off"},
		"a CPU profile, alone":   {encoded(t, made(cpuTypes, map[string][]int64{"m.f": {1, 10}})), "only CPU profiles are there"},
		"compressed text":        {zipped(t, "hello"), `it is text and no profile: "hello"`},
		"compressed emptiness":   {zipped(t, ""), "it is empty"},
		"a page of a compressor": {zipped(t, "<html>"), "a page of HTML"},
	} {
		source := file(t, c.data)
		_, err := Read(t.Context(), []string{source}, time.Minute)
		explained(t, name, err, source, c.want)
	}
	missing := filepath.Join(t.TempDir(), "missing")
	_, err := Read(t.Context(), []string{missing}, time.Minute)
	explained(t, "missing", err, missing, "no such file")
	folder := t.TempDir()
	_, err = Read(t.Context(), []string{folder}, time.Minute)
	explained(t, "a folder", err, folder, "is a directory")
}

func zipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// explained checks that an error is the user's to mend, names the source once and
// says what is wrong.
func explained(t *testing.T, name string, err error, source, want string) {
	t.Helper()
	if err == nil || fault.KindOf(err) != fault.Input || !strings.HasPrefix(err.Error(), "profile "+source+": ") || strings.Count(err.Error(), source) != 1 || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: %v; want %q", name, err, want)
	}
}

func TestAnAddressThatDoesNotAnswerWithAProfileIsExplained(t *testing.T) {
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/hangs":
			select {
			case <-release:
			case <-r.Context().Done():
			}
		case "/stalls":
			w.Write(heap(t)[:20])
			w.(http.Flusher).Flush()
			select {
			case <-release:
			case <-r.Context().Done():
			}
		case "/html":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<html><title>sign in</title>")
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	defer close(release)
	for path, want := range map[string]string{
		"/hangs":  "it did not answer in full in 100ms; -timeout gives it longer",
		"/stalls": "it did not answer in full in 100ms; -timeout gives it longer",
		"/html":   "it is a page of HTML and no profile; the address of a program's allocations ends in /debug/pprof/allocs",
		"/other":  `it answers 404 Not Found: "404 page not found"`,
	} {
		source := server.URL + path
		timeout := time.Minute
		if strings.Contains(want, "in full") {
			timeout = 100 * time.Millisecond
		}
		_, err := Read(t.Context(), []string{source}, timeout)
		explained(t, path, err, source, want)
	}
	gone := httptest.NewServer(nil)
	gone.Close()
	_, err := Read(t.Context(), []string{gone.URL}, time.Minute)
	explained(t, "nobody listens", err, gone.URL, "connection refused")

	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := Read(ctx, []string{server.URL + "/hangs"}, time.Minute); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

func TestADeltaHasItsSecondsBesidesTheTimeout(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(300 * time.Millisecond)
		w.Write(heap(t))
	}))
	defer server.Close()
	if _, err := Read(t.Context(), []string{server.URL + "?seconds=60"}, 100*time.Millisecond); err != nil {
		t.Error(err)
	}
}
