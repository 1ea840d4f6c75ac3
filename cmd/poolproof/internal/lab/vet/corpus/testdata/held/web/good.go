package web

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"

	"example.org/held/lib/fast"
)

func fetchCopy(c *fast.Client, uri string) ([]byte, error) {
	req := fast.AcquireRequest()
	resp := fast.AcquireResponse()
	defer func() {
		fast.ReleaseRequest(req)
		fast.ReleaseResponse(resp)
	}()
	req.SetURI(uri)
	if err := c.Do(req, resp); err != nil {
		return nil, err
	}
	return append([]byte(nil), resp.Body()...), nil // fine "PV003" copied
}

// The caller is given the response, and has to release it.
func fetchResponse(c *fast.Client, uri string) (*fast.Response, error) {
	req := fast.AcquireRequest()
	defer fast.ReleaseRequest(req)
	resp := fast.AcquireResponse()
	req.SetURI(uri)
	if err := c.Do(req, resp); err != nil {
		fast.ReleaseResponse(resp)
		return nil, err
	}
	return resp, nil // fine "PV001|PV003|PV005" the caller's
}

func fetchUse(c *fast.Client, uri string, use func([]byte)) error {
	resp, err := fetchResponse(c, uri)
	if err != nil {
		return err
	}
	defer fast.ReleaseResponse(resp)
	use(resp.Body()) // fine "PV001|PV004" only while it is here
	return nil
}

func fetchRetriedInto(c *fast.Client, uri string, dst []byte) (int, []byte, error) {
	status := 0
	err := retry(3, func() error {
		req := fast.AcquireRequest()
		resp := fast.AcquireResponse()
		defer fast.ReleaseRequest(req)
		defer fast.ReleaseResponse(resp)
		req.SetURI(uri)
		if err := c.Do(req, resp); err != nil {
			return err
		}
		status = resp.StatusCode()
		dst = append(dst[:0], resp.Body()...) // fine "PV004" the caller's memory
		return nil
	})
	return status, dst, err
}

func logLaterCopy(log func(string)) *App {
	return newApp(func(c *Ctx) error {
		number := strings.Clone(c.Param("number"))
		go log(number) // fine "PV004|PV014" a clone
		return nil
	})
}

func rememberCopy(seen map[string]string) *App {
	return newApp(func(c *Ctx) error {
		seen["token"] = strings.Clone(c.Param("token")) // fine "PV004|PV014" a clone
		return nil
	})
}

func countParams(seen map[string]int) *App {
	return newApp(func(c *Ctx) error {
		seen["length"] += len(c.Param("token")) // fine "PV004|PV014" a number
		return nil
	})
}

func cachedResponseOwn(raw []byte, r *http.Request) (*http.Response, error) {
	b := new(bytes.Buffer)
	b.Write(raw)
	return http.ReadResponse(bufio.NewReader(b), r) // fine "PV003" of no pool
}

// The response is read while the buffer is here.
func cachedLength(raw []byte, r *http.Request) (int64, error) {
	b := buffers.Get().(*bytes.Buffer)
	defer func() {
		b.Reset()
		buffers.Put(b)
	}()
	b.Write(raw)
	resp, err := http.ReadResponse(bufio.NewReader(b), r)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	return io.Copy(io.Discard, resp.Body) // fine "PV001|PV003" read and closed before
}

func compressOrdered(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		gw := gzips.Get().(*gzip.Writer)
		defer gzips.Put(gw) // fine "PV001" runs last
		gw.Reset(w)
		defer gw.Reset(io.Discard)
		defer gw.Close()
		h.ServeHTTP(&zipped{w, gw}, r)
	})
}

// zippedOnce may be closed as often as one likes.
type zippedOnce struct {
	http.ResponseWriter
	gw *gzip.Writer
}

func (z *zippedOnce) Write(p []byte) (int, error) {
	if z.gw == nil {
		return z.ResponseWriter.Write(p)
	}
	return z.gw.Write(p)
}

func (z *zippedOnce) Close() error {
	if z.gw == nil {
		return nil
	}
	err := z.gw.Close()
	gzips.Put(z.gw)
	z.gw = nil // fine "PV001|PV015" cleared
	return err
}

func downloadOnce(w http.ResponseWriter, body []byte) error {
	gw := gzips.Get().(*gzip.Writer)
	gw.Reset(w)
	z := &zippedOnce{w, gw}
	defer z.Close()
	if _, err := z.Write(body); err != nil {
		return err // fine "PV005" the deferred Close
	}
	return z.Close() // fine "PV002" the second finds nothing
}

// A flag says that it was closed.
func (i *inflater) closeFlag() error {
	if i.closed {
		return nil
	}
	i.closed = true
	inflaters.Put(i.zr) // fine "PV002|PV015" once
	return i.src.Close()
}

func inflatePut(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		zr := inflaters.Get().(*gzip.Reader)
		if err := zr.Reset(r.Body); err != nil {
			inflaters.Put(zr)
			http.Error(w, err.Error(), http.StatusBadRequest)
			return // fine "PV001|PV005" put above
		}
		body := &inflater{zr: zr, src: r.Body}
		defer body.closeFlag()
		r.Body = struct {
			io.Reader
			io.Closer
		}{zr, r.Body}
		h.ServeHTTP(w, r) // fine "PV001|PV004" closed when this returns
	})
}

// The same context goes round again, and back once, by whoever took it.
func (e *Engine) handleAgain(c *Context) {
	next := c.next
	c.reset(c.w, c.r)
	e.handle(c)
	c.next = next // fine "PV001|PV002|PV021" nothing is put here
}

func browseReset(w http.ResponseWriter, v any) error {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer buffers.Put(b)
	if err := json.NewEncoder(b).Encode(v); err != nil {
		return err
	}
	b.WriteTo(w) // fine "PV001|PV011" reset after Get
	return nil
}

func (e *Engine) serveRecoveringFirst(w http.ResponseWriter, r *http.Request) {
	c := e.pool.Get().(*Context)
	c.reset(w, r)
	defer e.pool.Put(c)
	defer e.recoverPanic(c) // fine "PV001" runs before the put
	e.handle(c)
}

// Whoever made the request deletes it.
func (g *gateway) processOwned(chunks <-chan []byte) int {
	r := newRouting("a")
	defer r.Delete()
	n := 0
	for c := range chunks {
		n++
		r.tokens += len(c)
		if r.done = len(c) == 0; r.done {
			g.finish(r) // fine "PV001" deleted at the end
			break
		}
	}
	return n
}

func tunnelPut(target net.Conn, in io.Reader, out io.Writer) error {
	stream := func(w io.Writer, r io.Reader) error {
		b := copies.Get().(*[]byte)
		defer copies.Put(b)
		_, err := io.CopyBuffer(w, r, (*b)[:cap(*b)])
		return err // fine "PV003|PV005" deferred
	}
	go stream(target, in)
	return stream(out, target)
}

// One buffer for all parts.
func uploadOne(r io.Reader, put func(part int, p []byte) error) (int, error) {
	b := parts.Get().(*[]byte)
	defer parts.Put(b)
	for part := 1; ; part++ {
		n, err := io.ReadFull(r, *b)
		if err == io.EOF && part > 1 {
			return part, nil // fine "PV005" deferred
		}
		if err != nil && err != io.ErrUnexpectedEOF {
			return part, err
		}
		if perr := put(part, (*b)[:n]); perr != nil || err != nil {
			return part, perr
		}
	}
}

// The strings of a builder stay: Reset lets go of them.
func lineBuilt(host string, port int) string {
	b := builders.Get().(*strings.Builder)
	defer builders.Put(b)
	defer b.Reset()
	fmt.Fprintf(b, "%s:%d", host, port)
	return b.String() // fine "PV003" not used again
}

func (m *message) flushEnd(final bool) (err error) {
	if m.buf == nil {
		m.buf = m.frames.Get().(*[]byte)
	}
	_, err = m.out.Write((*m.buf)[:m.pos])
	m.pos = 0
	if final || err != nil {
		m.frames.Put(m.buf)
		m.buf = nil // fine "PV005|PV015" cleared, the field keeps it otherwise
	}
	return err
}

// hijacked leaves the connection and what was read of it to the caller.
func hijacked(w http.ResponseWriter, r *http.Request) (net.Conn, *bufio.ReadWriter, error) {
	h, ok := w.(http.Hijacker)
	if !ok {
		return nil, nil, http.ErrNotSupported
	}
	c, rw, err := h.Hijack()
	if err != nil {
		return nil, nil, err
	}
	b := copies.Get().(*[]byte)
	n := rw.Reader.Buffered()
	head, err := rw.Reader.Peek(n)
	copy(*b, head)
	early := slices.Clone((*b)[:min(n, len(*b))])
	copies.Put(b)
	return &earlyConn{c, early}, rw, err // fine "PV001|PV003" a clone
}

type earlyConn struct {
	net.Conn
	early []byte
}

func (c *earlyConn) Read(p []byte) (int, error) {
	if len(c.early) > 0 {
		n := copy(p, c.early)
		c.early = c.early[n:]
		return n, nil
	}
	return c.Conn.Read(p)
}
