package adapt_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/iotest"
	"time"
	"unsafe"

	"github.com/poolproof/poolproof/buffer"
	"github.com/poolproof/poolproof/buffer/adapt"
	"github.com/poolproof/poolproof/internal/ledger"
	"github.com/poolproof/poolproof/pool"
)

func TestABodyIsReadToItsEnd(t *testing.T) {
	p := buffer.New(buffer.Options{})
	content := pattern(10_000, 1)
	b := p.Append()
	b.Write(content)
	s := b.Share()
	for range 2 {
		if err := iotest.TestReader(adapt.Body(s), content); err != nil {
			t.Error(err)
		}
	}
	body := adapt.Body(s)
	if n, err := body.Read(nil); n != 0 || err != nil {
		t.Errorf("an empty Read: %d, %v", n, err)
	}
	if _, err := io.ReadAll(body); err != nil {
		t.Error(err)
	}
	if n, err := body.Read(nil); n != 0 || err != nil {
		t.Errorf("an empty Read at the end: %d, %v", n, err)
	}
	body.Close()
	if n, err := body.Read(make([]byte, 1)); n != 0 || err != io.ErrClosedPipe {
		t.Errorf("a Read after Close: %d, %v", n, err)
	}
	s.Release()
}

func TestABodyKeepsItsBytesUntilClose(t *testing.T) {
	exactly(t)
	p := buffer.New(buffer.Options{})
	b := p.Get(100)
	copy(b.Bytes(), pattern(100, 1))
	at := unsafe.SliceData(b.Bytes())
	s := b.Share()
	body := adapt.Body(s)
	s.Release()
	if c := p.Get(100); unsafe.SliceData(c.Bytes()) == at {
		t.Fatal("memory was handed out while a Body was open")
	}
	if got, err := io.ReadAll(body); !bytes.Equal(got, pattern(100, 1)) || err != nil {
		t.Errorf("read %x, %v", got, err)
	}
	for range 2 {
		if err := body.Close(); err != nil {
			t.Error(err)
		}
	}
	if c := p.Get(100); unsafe.SliceData(c.Bytes()) != at && !ledger.Checked {
		t.Error("Close did not give the memory back")
	}
}

// A transport reads on while a cancelled request closes its body. The race
// detector sees whether it reads memory that has a new owner.
func TestCloseBesideRead(t *testing.T) {
	p := buffer.New(buffer.Options{})
	for range 200 {
		b := p.Get(9000)
		clear(b.Bytes())
		s := b.Share()
		body := adapt.Body(s)
		s.Release()
		var transport sync.WaitGroup
		transport.Go(func() {
			part := make([]byte, 100)
			for {
				if n, err := body.Read(part); err != nil {
					return
				} else if !isZero(part[:n]) {
					t.Error("read the bytes of the next owner")
				}
			}
		})
		body.Close()
		next := p.Get(9000)
		copy(next.Bytes(), pattern(9000, 1))
		transport.Wait()
		next.Release()
	}
}

// A server gets the content, also when the request is sent a second time.
func TestABodyIsSentAgainAfterARedirect(t *testing.T) {
	content := pattern(100_000, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got, err := io.ReadAll(r.Body)
		if !bytes.Equal(got, content) || err != nil {
			t.Errorf("%s: %d bytes, %v", r.URL, len(got), err)
		}
		if r.URL.Path == "/" {
			http.Redirect(w, r, "/again", http.StatusTemporaryRedirect)
		}
	}))
	defer server.Close()
	p := buffer.New(buffer.Options{Stats: pool.Leaks})
	b := p.Append()
	b.Write(content)
	s := b.Share()
	req, err := http.NewRequest(http.MethodPost, server.URL, adapt.Body(s))
	if err != nil {
		t.Fatal(err)
	}
	req.ContentLength = int64(len(s.Bytes()))
	req.GetBody = func() (io.ReadCloser, error) { return adapt.Body(s), nil }
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	s.Release()
	// The transport may close the first body after Do has returned.
	for end := time.Now().Add(10 * time.Second); p.Stats().InUse != 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d buffers did not come back", p.Stats().InUse)
		}
	}
}
