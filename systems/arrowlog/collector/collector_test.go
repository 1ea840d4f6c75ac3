package collector_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploggrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp"
	"go.opentelemetry.io/otel/log"
	sdk "go.opentelemetry.io/otel/sdk/log"
	"go.opentelemetry.io/otel/sdk/resource"
	collogspb "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	"google.golang.org/protobuf/proto"

	"github.com/poolproof/poolproof/systems/arrowlog"
	"github.com/poolproof/poolproof/systems/arrowlog/collector"
	"github.com/poolproof/poolproof/systems/arrowlog/internal/otlpjson"
	"github.com/poolproof/poolproof/systems/arrowlog/where"
)

func start(t testing.TB, o collector.Options) *collector.Collector {
	t.Helper()
	o.Logf = t.Logf
	c, err := collector.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// bodies reads the column body of all files in a folder, and fails if anything but
// files of logs is there.
func bodies(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, entry := range entries {
		if entry.Name() == ".lock" {
			continue
		}
		if !strings.HasSuffix(entry.Name(), ".parquet") && !strings.HasSuffix(entry.Name(), ".arrow") {
			t.Errorf("%s is left in the folder", entry.Name())
			continue
		}
		file, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		r, err := arrowlog.OpenReader(bytes.NewReader(file), int64(len(file)), arrowlog.Query{Columns: []string{"body"}})
		if err != nil {
			t.Fatal(err)
		}
		for row, err := range r.Rows() {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, strings.Clone(row[0].Text()))
		}
	}
	return all
}

func message(t testing.TB, bodies ...string) []byte {
	t.Helper()
	var logs []*logspb.LogRecord
	for _, b := range bodies {
		logs = append(logs, &logspb.LogRecord{TimeUnixNano: 1, Body: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: b}}})
	}
	m, err := proto.Marshal(&collogspb.ExportLogsServiceRequest{ResourceLogs: []*logspb.ResourceLogs{{ScopeLogs: []*logspb.ScopeLogs{{LogRecords: logs}}}}})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func listen(t testing.TB) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestTheSDKExports sends logs by the OpenTelemetry SDK's own exporters, over gRPC
// and HTTP, plain and compressed.
func TestTheSDKExports(t *testing.T) {
	ctx := context.Background()
	for _, ipc := range []bool{false, true} {
		dir := t.TempDir()
		c := start(t, collector.Options{Dir: dir, IPC: ipc, Rows: 150, Encoder: arrowlog.Options{IPCFile: true}})
		g, h := listen(t), listen(t)
		serving, stop := context.WithCancel(ctx)
		served := make(chan error, 1)
		go func() { served <- c.Serve(serving, g, h) }()

		exporters := map[string]sdk.Exporter{}
		for name, compress := range map[string]bool{"plain": false, "gzip": true} {
			grpcOptions := []otlploggrpc.Option{otlploggrpc.WithEndpoint(g.Addr().String()), otlploggrpc.WithInsecure()}
			httpOptions := []otlploghttp.Option{otlploghttp.WithEndpoint(h.Addr().String()), otlploghttp.WithInsecure()}
			if compress {
				grpcOptions = append(grpcOptions, otlploggrpc.WithCompressor("gzip"))
				httpOptions = append(httpOptions, otlploghttp.WithCompression(otlploghttp.GzipCompression))
			}
			var err error
			if exporters["grpc "+name], err = otlploggrpc.New(ctx, grpcOptions...); err != nil {
				t.Fatal(err)
			}
			if exporters["http "+name], err = otlploghttp.New(ctx, httpOptions...); err != nil {
				t.Fatal(err)
			}
		}
		want := map[string]bool{}
		for name, e := range exporters {
			p := sdk.NewLoggerProvider(sdk.WithProcessor(sdk.NewBatchProcessor(e)), sdk.WithResource(resource.NewSchemaless(attribute.String("service.name", name))))
			logger := p.Logger("test")
			for i := range 100 {
				var r log.Record
				body := fmt.Sprint(name, " ", i)
				want[body] = true
				r.SetBody(attribute.StringValue(body))
				r.SetTimestamp(time.Now())
				r.SetSeverity(log.SeverityInfo)
				r.AddAttributes(attribute.Int("i", i), attribute.StringSlice("list", []string{"k", "v"}))
				logger.Emit(ctx, r)
			}
			if err := p.Shutdown(ctx); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
		got := bodies(t, dir)
		for _, b := range got {
			delete(want, b)
		}
		if len(got) != 400 || len(want) != 0 {
			t.Errorf("ipc %v: %d logs in the files, %d are missing", ipc, len(got), len(want))
		}
	}
}

func TestOTLPOverHTTPAsTheSpecificationSays(t *testing.T) {
	dir := t.TempDir()
	c := start(t, collector.Options{Dir: dir})
	h := listen(t)
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- c.Serve(ctx, nil, h) }()
	url := "http://" + h.Addr().String() + "/v1/logs"
	post := func(kind, encoding string, body []byte) (int, string, string) {
		r, err := http.NewRequest("POST", url, bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", kind)
		r.Header.Set("Content-Encoding", encoding)
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Body.Close()
		b, _ := io.ReadAll(a.Body)
		return a.StatusCode, a.Header.Get("Content-Type"), string(b)
	}
	json := `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"5","traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174","body":{"stringValue":"json"}}]}]}]}`
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	for range 65 {
		z.Write(make([]byte, 1<<20))
	}
	z.Close()
	for name, c := range map[string]struct {
		kind, encoding string
		body           []byte
		code           int
		has            string
	}{
		"JSON":            {"application/json", "", []byte(json), 200, "{}"},
		"protobuf":        {"application/x-protobuf", "", message(t, "proto"), 200, ""},
		"other type":      {"text/plain", "", nil, 415, "want application/x-protobuf"},
		"malformed":       {"application/x-protobuf", "", []byte{10, 200}, 400, "byte "},
		"malformed JSON":  {"application/json; charset=utf-8", "", []byte("{"), 400, `"message"`},
		"bad ID":          {"application/json", "", []byte(strings.Replace(json, "5b8e", "zz8e", 1)), 400, "hexadecimal"},
		"not gzip":        {"application/json", "gzip", []byte(json), 400, "gzip"},
		"other encoding":  {"application/json", "br", []byte(json), 400, "Content-Encoding"},
		"too much in all": {"application/x-protobuf", "gzip", bomb.Bytes(), 413, "32 MiB"},
	} {
		code, kind, body := post(c.kind, c.encoding, c.body)
		if code != c.code || !strings.Contains(body, c.has) {
			t.Errorf("%s: %d %s %q, want %d and %q", name, code, kind, body, c.code, c.has)
		}
		if code != 415 && !strings.HasPrefix(c.kind, kind) {
			t.Errorf("%s: the answer is %s", name, kind)
		}
	}
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
	if got := bodies(t, dir); len(got) != 2 {
		t.Errorf("the files have %q", got)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.parquet"))
	file, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	r, err := arrowlog.OpenReader(bytes.NewReader(file), int64(len(file)), arrowlog.Query{Columns: []string{"trace_id", "span_id"}, Where: []where.Condition{{Column: "body", Value: arrowlog.StringValue("json")}}})
	if err != nil {
		t.Fatal(err)
	}
	b, err := r.Next()
	if err != nil || b.Value(0, 0).Text() != "5b8efff798038103d269b633813fc60c" || b.Value(0, 1).Text() != "eee19b7ec3c1b174" {
		t.Errorf("the IDs are %v, %v (%v)", b.Value(0, 0), b.Value(0, 1), err)
	}
}

// TestManyClientsAtOnce checks that requests of many goroutines share files and
// that each log is there once.
func TestManyClientsAtOnce(t *testing.T) {
	dir := t.TempDir()
	c := start(t, collector.Options{Dir: dir, Rows: 700, Age: 20 * time.Millisecond})
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			for i := range 40 {
				if err := c.Ingest(context.Background(), message(t, fmt.Sprint(g, ".", i, "a"), fmt.Sprint(g, ".", i, "b"))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if err := c.Ingest(context.Background(), message(t, "late")); !errors.Is(err, collector.ErrUnavailable) {
		t.Errorf("after Close the error is %v", err)
	}
	seen := map[string]int{}
	for _, b := range bodies(t, dir) {
		seen[b]++
	}
	if len(seen) != 640 {
		t.Errorf("%d logs, want 640", len(seen))
	}
	for b, n := range seen {
		if n != 1 {
			t.Errorf("%s is there %d times", b, n)
		}
	}
}

func TestOneCollectorAFolder(t *testing.T) {
	dir := t.TempDir()
	c := start(t, collector.Options{Dir: dir})
	defer c.Close()
	if _, err := collector.New(collector.Options{Dir: dir}); err == nil || !strings.Contains(err.Error(), "another collector") {
		t.Errorf("the error is %v", err)
	}
}

// TestAFolderThatCannotBeWritten refuses with an error that may be tried again,
// keeps nothing of what it refused, and goes on when the folder is back.
func TestAFolderThatCannotBeWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "logs")
	c := start(t, collector.Options{Dir: dir})
	if err := os.Rename(dir, dir+".away"); err != nil {
		t.Fatal(err)
	}
	if err := c.Ingest(context.Background(), message(t, "refused")); !errors.Is(err, collector.ErrUnavailable) {
		t.Errorf("the error is %v", err)
	}
	if err := os.Rename(dir+".away", dir); err != nil {
		t.Fatal(err)
	}
	if err := c.Ingest(context.Background(), message(t, "taken")); err != nil {
		t.Error(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if got := bodies(t, dir); fmt.Sprint(got) != "[taken]" {
		t.Errorf("the files have %q", got)
	}
}

// TestAJournalIsRecovered damages the end of a journal as a crash does.
func TestAJournalIsRecovered(t *testing.T) {
	for cut := range 30 {
		dir := t.TempDir()
		c := start(t, collector.Options{Dir: dir})
		for _, b := range []string{"first", "second", "last"} {
			if err := c.Ingest(context.Background(), message(t, b)); err != nil {
				t.Fatal(err)
			}
		}
		journals, _ := filepath.Glob(filepath.Join(dir, "*.journal"))
		if len(journals) != 1 {
			t.Fatalf("the journals are %q", journals)
		}
		b, err := os.ReadFile(journals[0])
		if err != nil {
			t.Fatal(err)
		}
		other := t.TempDir()
		if err := os.WriteFile(filepath.Join(other, filepath.Base(journals[0])), b[:len(b)-cut], 0o644); err != nil {
			t.Fatal(err)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		again := start(t, collector.Options{Dir: other})
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
		want := "[first second last]"
		if cut > 0 {
			want = "[first second]"
		}
		if cut > 16+len(message(t, "last")) {
			want = "[first]"
		}
		if got := fmt.Sprint(bodies(t, other)); got != want {
			t.Errorf("cut by %d: the file has %s, want %s", cut, got, want)
		}
	}
}

func Example() {
	dir, err := os.MkdirTemp("", "logs")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	c, err := collector.New(collector.Options{Dir: dir})
	if err != nil {
		panic(err)
	}
	request, err := otlpjson.Decode([]byte(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"hello"}}]}]}]}`))
	if err != nil {
		panic(err)
	}
	fmt.Println(c.Ingest(context.Background(), request)) // the log is on the disk
	fmt.Println(c.Close())                               // and in a file
	files, _ := filepath.Glob(filepath.Join(dir, "*.parquet"))
	fmt.Println(len(files))
	// Output:
	// <nil>
	// <nil>
	// 1
}

// export sends one log by an exporter of the SDK.
func export(t testing.TB, e sdk.Exporter, body string) {
	t.Helper()
	p := sdk.NewLoggerProvider(sdk.WithProcessor(sdk.NewSimpleProcessor(e)))
	var r log.Record
	r.SetBody(attribute.StringValue(body))
	p.Logger("test").Emit(context.Background(), r)
	if err := p.ForceFlush(context.Background()); err != nil {
		t.Error(err)
	}
}
