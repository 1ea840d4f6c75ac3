package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploggrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp"
	"go.opentelemetry.io/otel/log"
	sdk "go.opentelemetry.io/otel/sdk/log"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	"google.golang.org/protobuf/proto"
)

// TestServeKeepsItsMemoryUnderLoad has the exporters of the SDK send logs as fast as
// they are made, beside clients that send the largest requests that are taken, of the
// kinds that need most: the process stays within -memory, and each log that was
// acknowledged is in a file.
func TestServeKeepsItsMemoryUnderLoad(t *testing.T) {
	memory, long := 512<<20, 40*time.Second
	if testing.Short() {
		memory, long = 128<<20, 3*time.Second
	}
	dir, bodies := t.TempDir(), largeBodies(t, (memory-ownMemory)/16)
	s := serveUnder(t, nil, "-dir", dir, "-grpc", "127.0.0.1:0", "-http", "", "-memory", strconv.Itoa(memory), "-age", "2s")
	ctx, cancel := context.WithTimeout(context.Background(), long)
	defer cancel()

	var clients sync.WaitGroup
	acknowledged := &acknowledgements{bodies: map[string]bool{}}
	for i := range 6 {
		clients.Go(func() { exportMany(ctx, t, s.address, i, acknowledged, min(2*long, 20*time.Second)) })
	}
	counts := make([]struct{ taken, refused, tooLarge atomic.Int64 }, len(bodies))
	for i, body := range bodies {
		for range body.clients {
			clients.Go(func() {
				for ctx.Err() == nil {
					switch status := send(ctx, s.address, body); status {
					case http.StatusOK:
						counts[i].taken.Add(1)
						continue
					case http.StatusTooManyRequests, http.StatusServiceUnavailable:
						counts[i].refused.Add(1)
					case http.StatusRequestEntityTooLarge:
						counts[i].tooLarge.Add(1)
						if !body.mayBeTooLarge {
							t.Errorf("%s: it is too large", body.name)
							return
						}
					case 0: // the end
						return
					default:
						t.Errorf("%s: %d", body.name, status)
						return
					}
					time.Sleep(300 * time.Millisecond) // a client would wait for 5 s
				}
			})
		}
	}
	for range 200 { // they begin a request and wait
		c, err := net.Dial("tcp", s.address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "POST /v1/logs HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-protobuf\r\nContent-Length: 100000\r\n\r\n")
		c.Write(make([]byte, 30_000))
	}
	clients.Wait()
	most := peak(t, s.cmd.Process.Pid)
	s.cmd.Process.Signal(os.Interrupt)
	<-s.done
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("the server ended with %v: %s", err, s.log)
	}
	acknowledged.mu.Lock() // an exporter whose time was over may still note its last export
	defer acknowledged.mu.Unlock()
	t.Logf("at most %d of %d MiB; of the SDK %d logs acknowledged, %d exports failed", most>>20, memory>>20, len(acknowledged.bodies), acknowledged.failed)
	var taken int64
	for i, body := range bodies {
		c := &counts[i]
		t.Logf("%s, %d bytes: %d taken, %d refused, %d too large", body.name, len(body.body), c.taken.Load(), c.refused.Load(), c.tooLarge.Load())
		taken += c.taken.Load()
	}
	if most > memory {
		t.Errorf("the process took %d MiB, more than %d", most>>20, memory>>20)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.parquet"))
	for _, file := range files {
		code, stdout, stderr := call("cat", "-cols", "body", "-where", "scope_name = load", file)
		if code != 0 && !strings.Contains(stderr, "has no column") {
			t.Error(stderr)
		}
		for b := range strings.Lines(stdout) {
			delete(acknowledged.bodies, strings.TrimSuffix(b, "\n"))
		}
	}
	if n := len(acknowledged.bodies); n > 0 || taken == 0 {
		t.Errorf("%d logs that were acknowledged are in no file; %d large requests were taken", n, taken)
	}
}

// acknowledgements is an exporter that notes what another one has exported.
type acknowledgements struct {
	mu     sync.Mutex
	bodies map[string]bool
	failed int
}

type noting struct {
	sdk.Exporter
	to *acknowledgements
}

// Export exports and notes.
func (n noting) Export(ctx context.Context, all []sdk.Record) error {
	err := n.Exporter.Export(ctx, all)
	n.to.mu.Lock()
	defer n.to.mu.Unlock()
	if err != nil {
		n.to.failed++
		return err
	}
	for _, r := range all {
		n.to.bodies[r.Body().AsString()] = true
	}
	return nil
}

// exportMany emits logs until ctx ends, by gRPC or HTTP, and then waits for those that are
// on their way.
func exportMany(ctx context.Context, t *testing.T, address string, client int, a *acknowledgements, wait time.Duration) {
	var e sdk.Exporter
	var err error
	if client%2 == 0 {
		e, err = otlploggrpc.New(ctx, otlploggrpc.WithEndpoint(address), otlploggrpc.WithInsecure(), otlploggrpc.WithCompressor("gzip"))
	} else {
		e, err = otlploghttp.New(ctx, otlploghttp.WithEndpoint(address), otlploghttp.WithInsecure())
	}
	if err != nil {
		t.Error(err)
		return
	}
	p := sdk.NewLoggerProvider(sdk.WithProcessor(sdk.NewBatchProcessor(noting{e, a}, sdk.WithExportInterval(100*time.Millisecond))))
	logger := p.Logger("load")
	for i := 0; ctx.Err() == nil; i++ {
		var r log.Record
		r.SetBody(attribute.StringValue(fmt.Sprint(client, ".", i)))
		r.SetTimestamp(time.Now())
		r.AddAttributes(attribute.Int("i", i), attribute.String("path", fmt.Sprint("/api/", i%1000)), attribute.String("trace", fmt.Sprintf("%032x", rand.Uint64())))
		logger.Emit(ctx, r)
		if i%200 == 0 {
			time.Sleep(5 * time.Millisecond) // the queue of the SDK has 2,048 places
		}
	}
	end, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	p.Shutdown(end)
}

// large is a body that stands for much.
type large struct {
	name           string
	clients        int
	kind, encoding string
	body           []byte
	mayBeTooLarge  bool
}

// largeBodies returns bodies of about size bytes, before compression: large ones of
// everyday logs, and those of which a byte stands for the most memory.
func largeBodies(t *testing.T, size int) []large {
	size = size * 9 / 10
	text := func(s string) *commonpb.AnyValue {
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: s}}
	}
	message := func(logs ...*logspb.LogRecord) []byte {
		b, err := proto.Marshal(&logspb.LogsData{ResourceLogs: []*logspb.ResourceLogs{{ScopeLogs: []*logspb.ScopeLogs{{LogRecords: logs}}}}})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	var many, keys []*logspb.LogRecord
	for i := range size / 100 {
		many = append(many, &logspb.LogRecord{TimeUnixNano: uint64(i), Body: text(fmt.Sprintf("%060x", i))})
	}
	for i := range size / 40_000 {
		r := &logspb.LogRecord{}
		for k := range 400 {
			r.Attributes = append(r.Attributes, &commonpb.KeyValue{Key: fmt.Sprint("key.", k), Value: text(fmt.Sprintf("%030x", i*k))})
		}
		keys = append(keys, r)
	}
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write(message(many...))
	z.Close()
	object := `{"body":{"stringValue":"` + strings.Repeat("y", 300) + `"}}`
	json := func(before, each, after string, size int) []byte {
		return []byte(before + strings.Repeat(each+",", size/len(each)) + each + after)
	}
	list := func(values ...*commonpb.AnyValue) *commonpb.AnyValue {
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_ArrayValue{ArrayValue: &commonpb.ArrayValue{Values: values}}}
	}
	pair := func(key string, v *commonpb.AnyValue) *commonpb.KeyValue {
		return &commonpb.KeyValue{Key: key, Value: v}
	}
	longNames := &logspb.LogRecord{}
	for i := range 400 {
		longNames.Attributes = append(longNames.Attributes, pair(fmt.Sprint(i, strings.Repeat("k", size/450)), text("v")))
	}
	invalid := message(&logspb.LogRecord{Body: text(strings.Repeat("a?", size/2))})
	invalid = bytes.ReplaceAll(invalid, []byte("a?"), []byte("a\xff"))
	control := &logspb.LogRecord{Body: list(text(strings.Repeat("\x01", size)))}
	empty := &logspb.LogRecord{Body: list(make([]*commonpb.AnyValue, size/4)...)}
	for i := range empty.Body.GetArrayValue().Values {
		empty.Body.GetArrayValue().Values[i] = &commonpb.AnyValue{}
	}
	wide := append(many[:len(many)/2:len(many)/2], keys[0])
	window, err := zstd.NewWriter(nil, zstd.WithWindowSize(8<<20))
	if err != nil {
		t.Fatal(err)
	}
	const proto, ofJSON = "application/x-protobuf", "application/json"
	return []large{
		{"one text", 4, proto, "", message(&logspb.LogRecord{Body: text(strings.Repeat("x", size))}), false},
		{"many logs, gzip", 4, proto, "gzip", zipped.Bytes(), false},
		{"many keys", 4, proto, "", message(keys...), false},
		{"JSON", 4, ofJSON, "", json(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[`, object, `]}]}]}`, size/2), false},
		{"many logs, zstd", 1, proto, "zstd", window.EncodeAll(message(many...), nil), false},
		{"many logs and many keys", 1, proto, "", message(append(wide, many[len(many)/2:]...)...), true},
		{"long names", 1, proto, "", message(longNames), true},
		{"no UTF-8", 1, proto, "", invalid, true},
		{"control characters in a list", 1, proto, "", message(control), true},
		{"a list of nothing", 1, proto, "", message(empty), true},
		{"JSON of empty logs", 1, ofJSON, "", json(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[`, `{}`, `]}]}]}`, size/12), true},
		{"JSON of empty texts", 1, ofJSON, "", json(`{"resourceLogs":[{"resource":{"entityRefs":[{"idKeys":[`, `""`, `]}]}}]}`, size/4), true},
	}
}

// send posts a body and returns the status, 0 if there was no answer.
func send(ctx context.Context, address string, l large) int {
	r, err := http.NewRequestWithContext(ctx, "POST", "http://"+address+"/v1/logs", bytes.NewReader(l.body))
	if err != nil {
		return 0
	}
	r.Header.Set("Content-Type", l.kind)
	if l.encoding != "" {
		r.Header.Set("Content-Encoding", l.encoding)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0
	}
	defer a.Body.Close()
	io.Copy(io.Discard, a.Body)
	return a.StatusCode
}

// peak returns the largest resident memory that a process has had, in bytes.
func peak(t *testing.T, pid int) int {
	t.Helper()
	for line := range strings.Lines(string(read(t, fmt.Sprintf("/proc/%d/status", pid)))) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			n, err := strconv.Atoi(strings.Fields(rest)[0])
			if err != nil {
				t.Fatal(err)
			}
			return n << 10
		}
	}
	t.Fatal("no VmHWM")
	return 0
}
