package encode

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"example.org/held/lib/events"
)

// mozilla-services/go-syncstorage pull 148: the next request writes over the
// answer.
func marshal(v any) ([]byte, error) {
	b := getBuffer()
	defer putBuffer(b)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil // want "PV003"
}

// aceld/zinx pull 109: the frame is taken before its buffer goes, and sent after.
func pack(f *frame) ([]byte, error) {
	b := frameBuffers.Get().(*bytes.Buffer)
	b.Reset()
	if err := binary.Write(b, binary.LittleEndian, f.id); err != nil {
		frameBuffers.Put(b)
		return nil, err
	}
	if err := binary.Write(b, binary.LittleEndian, uint32(len(f.data))); err != nil {
		frameBuffers.Put(b)
		return nil, err
	}
	b.Write(f.data)
	out := b.Bytes()
	frameBuffers.Put(b)
	return out, nil // want "PV001|PV003"
}

// rs/zerolog pull 594: a logger keeps the buffer that its context was built in.
func (l logger) with(key, value string) logger {
	b := getBuffer()
	defer putBuffer(b)
	b.Write(l.context)
	fmt.Fprintf(b, "%q:%q,", key, value)
	l.context = b.Bytes()
	return l // want "PV003"
}

// Altinity/clickhouse-backup pull 670: an event is sent for each table.
func logTables(l *events.Logger, quiet bool, tables []string) {
	e := l.Info() // may "PV005"
	if quiet {
		e = l.Debug()
	}
	for _, t := range tables {
		e.Str("table", t).Msg("done") // want "PV001|PV002"
	}
}

func logTwice(l *events.Logger, n int) {
	e := l.Info().Int("n", n)
	e.Msg("begin")
	e.Msg("end") // want "PV001|PV002"
}

// uber-go/zap issue 842: the entry is gone with the first Write.
func logChecked(core func(string, ...string) error) {
	if c := events.Check("foobar", core); c != nil {
		c.Write("int", "200")
		c.Write("one", "string") // want "PV001|PV002"
	}
}

// rs/zerolog issue 731: a hook keeps the event.
type recorder struct{ last *events.Event }

func (r *recorder) Run(e *events.Event, level, msg string) {
	r.last = e // want "PV004|PV014"
}

// sirupsen/logrus issue 795: the fields of the last line are there in the next.
func (l *log) info(msg string, v any) {
	e := l.entries.Get().(*entry)
	e.message = msg
	e.with("value", v).write()
	l.entries.Put(e) // want "PV011"
}

// FDio/govpp pull 54: the pointer to the pointer.
func (a *adapter) readMessage(buf []byte) (int, error) {
	header := a.headers.Get().(*[]byte)
	n, err := io.ReadAtLeast(a.in, *header, 16)
	if err != nil {
		return n, err // may "PV005"
	}
	size := int(binary.BigEndian.Uint32((*header)[8:12]))
	a.headers.Put(&header) // want "PV007"
	return io.ReadFull(a.in, buf[:size])
}

// jgautheron/goconst pull 37: slices come out, and pointers go in.
var issues = sync.Pool{New: func() any { return make([]issue, 0, 100) }}

func find(files []string, look func(string) []issue) int {
	all := issues.Get().([]issue) // may "PV007"
	for _, f := range files {
		all = append(all, look(f)...)
	}
	n := len(all)
	clear(all)
	all = all[:0]
	issues.Put(&all) // want "PV007"
	return n
}

// minio/simdjson-go pull 4: the goroutine parses a block that the next read
// fills.
func parseStream(r io.Reader, results chan<- parsed) error {
	var wg sync.WaitGroup
	defer wg.Wait()
	for {
		b := blocks.Get().(*[]byte)
		n, err := io.ReadFull(r, *b)
		if n > 0 {
			wg.Add(1)
			go func() { // want "PV001|PV004"
				defer wg.Done()
				results <- parseBlock((*b)[:n])
			}()
		}
		blocks.Put(b)
		if err != nil {
			return err
		}
	}
}

// xxddpac/go-flow pull 6: the broker's goroutine finds another packet.
func watch(packets <-chan []byte, b *broker) {
	for p := range packets {
		t := seen.Get().(*traffic)
		t.length = len(p)
		t.sample = append(t.sample[:0], p...)
		b.observe(t)
		b.push(t) // want "PV004"
		seen.Put(t)
	}
}

// yarpc/yarpc-go issue 2366: the handler's request is memory of the transport.
func receiveRaw(c rawCodec, r io.Reader, n int, handle func([]byte)) error {
	p := poolGet(n)[:n]
	if _, err := io.ReadFull(r, p); err != nil {
		poolPut(p)
		return err
	}
	var body []byte
	err := c.Unmarshal(p, &body)
	poolPut(p)
	if err != nil {
		return err
	}
	handle(body) // want "PV001"
	return nil
}

// The same by the interface that transports are given.
func receiveAny(c codec, r io.Reader, n int) (body []byte, err error) {
	p := poolGet(n)[:n]
	defer poolPut(p)
	if _, err := io.ReadFull(r, p); err != nil {
		return nil, err
	}
	err = c.Unmarshal(p, &body)
	return body, err // want "PV003"
}

// open-telemetry/opentelemetry-collector-contrib pull 42506: whoever sends it
// puts it, and whoever asked for that too.
func (r *remote) export(rows []string) error {
	e := exports.Get().(*exported)
	e.proto.Reset()
	for _, row := range rows {
		if _, err := e.proto.WriteString(row); err != nil {
			exports.Put(e)
			return err
		}
	}
	e.out = append(e.out[:0], e.proto.Bytes()...)
	if err := r.execute(e); err != nil {
		exports.Put(e) // want "PV002"
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

// ethereum/go-ethereum pull 18116: the hasher of a proof.
func prove(nodes [][]byte, put func(uint64, []byte) error) error {
	h := newHasher() // want "PV006"
	for _, n := range nodes {
		if err := put(h.key(n), n); err != nil {
			return err
		}
	}
	return nil
}

// nats-io/nats-server pull 8244: the parts of one buffer are put one by one.
func (c *client) fragment(msg []byte) {
	b := poolGet(len(msg))
	b = append(b, msg...)
	for len(b) > 0 {
		n := min(len(b), c.max)
		c.out = append(c.out, b[:n])
		b = b[n:]
	}
	for _, p := range c.out {
		poolPut(p) // want "PV002|PV021"
	}
	c.out = c.out[:0]
}

// oxia-db/oxia pull 743: an entry that could not be read.
func deserialize(p []byte, keep func(*vtype)) error {
	v := vtypeFromPool()
	if err := v.unmarshal(p); err != nil {
		return err // want "PV005"
	}
	if v.key == "" {
		v.ReturnToPool()
		return nil
	}
	keep(v)
	return nil
}

// grafana/mimir pull 14143: a retry gives back again what the first try gave
// back.
func sendRetried(r *remote, e *exported) error {
	var err error
	for range 3 {
		if err = r.execute(e); err == nil { // want "PV001|PV002"
			return nil
		}
	}
	return err
}

// martini-contrib/render pull 54: a template that fails keeps the buffer.
func render(out io.Writer, execute func(io.Writer) error) error {
	b := getBuffer()
	if err := execute(b); err != nil {
		return err // want "PV005"
	}
	_, err := io.Copy(out, b)
	putBuffer(b)
	return err
}
