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
	if testing.Short() {
		t.Skip("it loads a server for 40 s")
	}
	memory, long := 512<<20, 40*time.Second
	dir, bodies := t.TempDir(), largeBodies(t, (memory-ownMemory)/16)
	s := serveUnder(t, nil, "-dir", dir, "-grpc", "127.0.0.1:0", "-http", "", "-memory", strconv.Itoa(memory), "-age", "2s")
	ctx, cancel := context.WithTimeout(context.Background(), long)
	defer cancel()

	var clients sync.WaitGroup
	acknowledged := &acknowledgements{bodies: map[string]bool{}}
	for i := range 6 {
		clients.Go(func() { exportMany(ctx, t, s.address, i, acknowledged) })
	}
	var taken, refused atomic.Int64
	for i, body := range bodies {
		for range 4 {
			clients.Go(func() {
				for ctx.Err() == nil {
					switch status := send(ctx, s.address, body); status {
					case http.StatusOK:
						taken.Add(1)
					case http.StatusTooManyRequests, http.StatusServiceUnavailable:
						refused.Add(1)
						time.Sleep(300 * time.Millisecond) // a client would wait for 5 s
					case 0: // the end
					default:
						t.Errorf("the large body %d: %d", i, status)
						return
					}
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
	t.Logf("at most %d of %d MiB; of the SDK %d logs acknowledged, %d exports failed; of large requests %d taken, %d refused", most>>20, memory>>20, len(acknowledged.bodies), acknowledged.failed, taken.Load(), refused.Load())
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
	if n := len(acknowledged.bodies); n > 0 || taken.Load()+refused.Load() == 0 {
		t.Errorf("%d logs that were acknowledged are in no file; %d large requests were answered", n, taken.Load()+refused.Load())
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

// exportMany emits logs until ctx ends, by gRPC or HTTP.
func exportMany(ctx context.Context, t *testing.T, address string, client int, a *acknowledgements) {
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
	end, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	p.Shutdown(end)
}

// large is a body that stands for much.
type large struct {
	kind, encoding string
	body           []byte
}

// largeBodies returns bodies of about size bytes: one text, many small logs, many keys,
// and JSON.
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
	json := `{"resourceLogs":[{"scopeLogs":[{"logRecords":[` + strings.Repeat(object+",", size/2/len(object)) + object + `]}]}]}`
	return []large{
		{"application/x-protobuf", "", message(&logspb.LogRecord{Body: text(strings.Repeat("x", size))})},
		{"application/x-protobuf", "gzip", zipped.Bytes()},
		{"application/x-protobuf", "", message(keys...)},
		{"application/json", "", []byte(json)},
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
