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
	"strings"
	"sync"

	"example.org/held/lib/fast"
)

// valyala/fasthttp issue 612: the body goes back with its response.
func fetch(c *fast.Client, uri string) ([]byte, error) {
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
	if resp.StatusCode() != http.StatusOK {
		return nil, errStatus
	}
	return resp.Body(), nil // want "PV003"
}

// valyala/fasthttp issue 390: used after both were released.
func fetchThen(c *fast.Client, uri string, use func([]byte)) error {
	req := fast.AcquireRequest()
	resp := fast.AcquireResponse()
	req.SetURI(uri)
	err := c.Do(req, resp)
	body := resp.Body()
	fast.ReleaseRequest(req)
	fast.ReleaseResponse(resp)
	if err != nil {
		return err
	}
	use(body) // want "PV001"
	return nil
}

// valyala/fasthttp issue 955: what leaves the closure is released when it
// returns.
func fetchRetried(c *fast.Client, uri string) (int, []byte, error) {
	var (
		status int
		body   []byte
	)
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
		body = resp.Body() // want "PV004"
		return nil
	})
	return status, body, err
}

// gofiber/fiber issues 185 and 1294: the string is memory of the server.
func logLater(log func(string)) *App {
	return newApp(func(c *Ctx) error {
		number := c.Param("number")
		go log(number) // want "PV004|PV014"
		return nil
	})
}

// gofiber/fiber issue 1455: a map keeps it.
func remember(seen map[string]string) *App {
	return newApp(func(c *Ctx) error {
		seen["token"] = c.Param("token") // want "PV004|PV014"
		return nil
	})
}

// darkweak/storages pull 47: the response is read from the buffer when it is in
// the pool again.
func cachedResponse(raw []byte, r *http.Request) (*http.Response, error) {
	b := buffers.Get().(*bytes.Buffer)
	defer func() {
		b.Reset()
		buffers.Put(b)
	}()
	b.Write(raw)
	resp, err := http.ReadResponse(bufio.NewReader(b), r)
	if err != nil {
		return nil, err
	}
	return resp, nil // want "PV003"
}

// nytimes/gziphandler pull 6: closed when it is somebody else's.
func compress(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			h.ServeHTTP(w, r)
			return
		}
		gw := gzips.Get().(*gzip.Writer)
		gw.Reset(w)
		defer gw.Close()
		h.ServeHTTP(&zipped{w, gw}, r)
		gzips.Put(gw) // want "PV001"
	})
}

// nytimes/gziphandler pull 37: the handler closes, and the middleware again.
func (z *zipped) Close() error {
	if z.gw == nil {
		return nil
	}
	err := z.gw.Close()
	gzips.Put(z.gw) // want "PV015"
	return err
}

func download(w http.ResponseWriter, body []byte) error {
	gw := gzips.Get().(*gzip.Writer)
	gw.Reset(w)
	z := &zipped{w, gw}
	defer z.Close()
	if _, err := z.Write(body); err != nil {
		return err
	}
	return z.Close() // want "PV002"
}

// open-telemetry/opentelemetry-collector issue 13954: a body is closed by the
// handler and by the server.
func (i *inflater) Close() error {
	inflaters.Put(i.zr) // want "PV015"
	return i.src.Close()
}

func inflate(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		zr := inflaters.Get().(*gzip.Reader)
		if err := zr.Reset(r.Body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return // want "PV005"
		}
		body := &inflater{zr: zr, src: r.Body}
		defer body.Close()
		r.Body = body
		h.ServeHTTP(w, r)
	})
}

// gin-gonic/gin issue 1230: a context that is handled again is put twice.
func (e *Engine) HandleContext(c *Context) {
	c.reset(c.w, c.r)
	e.handle(c)
	e.pool.Put(c) // want "PV002|PV021"
}

func rewrite(e *Engine, to string) func(*Context) {
	return func(c *Context) {
		c.r.URL.Path = to
		e.HandleContext(c) // may "PV002|PV021"
	}
}

// caddyserver/caddy pull 4963: what an error has left stands before the next
// page.
func browse(w http.ResponseWriter, v any) error {
	b := buffers.Get().(*bytes.Buffer) // want "PV011"
	defer buffers.Put(b)
	if err := json.NewEncoder(b).Encode(v); err != nil {
		return err
	}
	b.WriteTo(w)
	return nil
}

// beego/beego pull 1718: the recovery looks at a context that is put already.
func (e *Engine) serveRecovering(w http.ResponseWriter, r *http.Request) {
	c := e.pool.Get().(*Context)
	c.reset(w, r)
	defer e.recoverPanic(c)
	defer e.pool.Put(c) // want "PV001"
	e.handle(c)
}

func (e *Engine) recoverPanic(c *Context) {
	if v := recover(); v != nil {
		http.Error(c.w, fmt.Sprint(c.r.URL, v), http.StatusInternalServerError)
	}
}

// vllm-project/aibrix issue 2440: whoever sees the end of the stream deletes the
// request, and the loop counts with it.
func (g *gateway) process(chunks <-chan []byte) int {
	r := newRouting("a")
	n := 0
	for c := range chunks {
		n++
		if complete := g.onBody(r, c); complete {
			g.finish(r) // want "PV001"
			break
		}
	}
	return n // may "PV005"
}

func (g *gateway) onBody(r *routing, p []byte) (complete bool) {
	defer func() {
		if complete {
			r.Delete()
		}
	}()
	r.tokens += len(p)
	return len(p) == 0
}

// caddyserver/forwardproxy pull 76: two buffers for each connection, and none
// goes back.
func tunnel(target net.Conn, in io.Reader, out io.Writer) error {
	stream := func(w io.Writer, r io.Reader) error {
		b := *copies.Get().(*[]byte) // want "PV006"
		b = b[:cap(b)]
		_, err := io.CopyBuffer(w, r, b)
		if cw, ok := w.(closeWriter); ok {
			cw.CloseWrite()
		}
		return err
	}
	go stream(target, in)
	return stream(out, target)
}

// minio/minio-go pull 781: each part has a buffer, and only whole parts give it
// back.
func upload(r io.Reader, put func(part int, p []byte) error) (int, error) {
	part := 1
	for {
		b := parts.Get().(*[]byte)
		n, err := io.ReadFull(r, *b)
		if err == io.EOF && part > 1 {
			break // want "PV005"
		}
		if err != nil && err != io.ErrUnexpectedEOF {
			return part, err // may "PV005"
		}
		if perr := put(part, (*b)[:n]); perr != nil {
			return part, perr // may "PV005"
		}
		if err == io.ErrUnexpectedEOF {
			break // may "PV005"
		}
		parts.Put(b)
		part++
	}
	return part, nil
}

// x-stp/rxtls pull 14: the pool has pointers.
var hosts = sync.Pool{New: func() any { return new(strings.Builder) }} // want "PV007"

func line(host string, port int) string {
	b := hosts.Get().(strings.Builder) // may "PV007"
	b.Reset()
	fmt.Fprintf(&b, "%s:%d", host, port)
	return b.String()
}

// gorilla/websocket pull 427: a frame that could not be written keeps the buffer.
func (m *message) flush(final bool) error {
	if m.buf == nil {
		m.buf = m.frames.Get().(*[]byte)
	}
	if _, err := m.out.Write((*m.buf)[:m.pos]); err != nil {
		return err // may "PV005"
	}
	m.pos = 0
	if final {
		m.frames.Put(m.buf) // want "PV015"
	}
	return nil
}

// open-telemetry/opentelemetry-collector pull 7859: a body that could not be
// compressed keeps its writer. It was judged meant; a deferred put is no more
// work.
func compressBody(dst io.Writer, body io.ReadCloser) error {
	gw := gzips.Get().(*gzip.Writer)
	gw.Reset(dst)
	if body != nil {
		_, cerr := io.Copy(gw, body)
		if err := body.Close(); err != nil {
			return err // want "PV005"
		}
		if cerr != nil {
			return cerr // may "PV005"
		}
	}
	if err := gw.Close(); err != nil {
		return err // may "PV005"
	}
	gzips.Put(gw)
	return nil
}
