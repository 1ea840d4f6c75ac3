package collector_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploggrpc"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/poolproof/poolproof/systems/arrowlog"
	"github.com/poolproof/poolproof/systems/arrowlog/collector"
)

// serving is a collector behind a listener.
type serving struct {
	*collector.Collector
	address string
	dir     string
}

func serve(t testing.TB, o collector.Options) serving {
	t.Helper()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	c, l := start(t, o), listen(t)
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- c.Serve(ctx, l, nil) }()
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return serving{c, l.Addr().String(), o.Dir}
}

func (s serving) post(t testing.TB, kind, encoding, token string, body io.Reader) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest("POST", "http://"+s.address+"/v1/logs", body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", kind)
	if encoding != "" {
		r.Header.Set("Content-Encoding", encoding)
	}
	if token != "" {
		r.Header.Set("Authorization", token)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	b, _ := io.ReadAll(a.Body)
	return a, string(b)
}

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
	z.Write(b)
	z.Close()
	return out.Bytes()
}

// TestASmallRequestThatStandsForMuchIsRefused sends what 60 kB of gzip can hold.
func TestASmallRequestThatStandsForMuchIsRefused(t *testing.T) {
	s := serve(t, collector.Options{})
	objects := []byte(`{"resourceLogs":[{}` + strings.Repeat(",{}", 20_000_000) + `]}`)
	for name, c := range map[string]struct {
		kind string
		body []byte
	}{
		"20 million empty objects":             {"application/json", objects},
		"33 million empty resources":           {"application/x-protobuf", bytes.Repeat([]byte{0x0a, 0}, 1<<25)},
		"many logs with a long resource":       {"application/x-protobuf", resourceTimes(t, 1<<18, 100_000)},
		"65 MiB of nothing":                    {"application/x-protobuf", make([]byte, 65<<20)},
		"a list of 30 million in an attribute": {"application/x-protobuf", longList(30_000_000)},
	} {
		body := gzipped(c.body)
		c.body = nil
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		began := time.Now()
		a, text := s.post(t, c.kind, "gzip", "", bytes.NewReader(body))
		took := time.Since(began)
		runtime.ReadMemStats(&after)
		if a.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: %d %s", name, a.StatusCode, text)
		}
		if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 512 {
			t.Errorf("%s: %d MB were allocated", name, used)
		}
		t.Logf("%s: %d bytes, %v", name, len(body), took)
	}
	if err := s.Ingest(context.Background(), message(t, "after")); err != nil {
		t.Error(err)
	}
}

// nested is a protobuf field with bytes.
func nested(number int, b []byte) []byte {
	out := binary.AppendUvarint(nil, uint64(number)<<3|2)
	return append(binary.AppendUvarint(out, uint64(len(b))), b...)
}

func resourceTimes(t *testing.T, text, logs int) []byte {
	t.Helper()
	resource := nested(1, nested(1, append(nested(1, []byte("k")), nested(2, nested(1, make([]byte, text)))...)))
	return nested(1, append(resource, nested(2, bytes.Repeat([]byte{0x12, 0}, logs))...))
}

func longList(n int) []byte {
	list := nested(5, bytes.Repeat([]byte{0x0a, 0}, n))
	return nested(1, nested(2, nested(2, nested(6, append(nested(1, []byte("k")), nested(2, list)...)))))
}

// TestRequestsShareTheMemory: bodies that are under way take it all. Others are told to
// come again, and are taken when it is free.
func TestRequestsShareTheMemory(t *testing.T) {
	s := serve(t, collector.Options{Memory: 32 << 20}) // 8 MiB for requests
	body := message(t, strings.Repeat("x", 3<<19))
	sent := []int{5 << 18, 7 << 17, 7 << 17, 7 << 17, 7 << 17} // are in buffers of 2 MiB and four of 1 MiB
	var mu sync.Mutex
	var pipes [5]*io.PipeWriter
	ended := false
	var waiting sync.WaitGroup
	for i := range pipes {
		waiting.Go(func() {
			for { // again if another request had the memory first
				r, w := io.Pipe()
				mu.Lock()
				if pipes[i] = w; ended {
					w.Close()
				}
				mu.Unlock()
				go w.Write(body[:sent[i]])
				if a, _ := s.post(t, "application/x-protobuf", "", "", r); a.StatusCode != http.StatusTooManyRequests {
					return
				}
			}
		})
	}
	var a *http.Response
	var text string
	for range 1000 { // until the server has read what was sent
		if a, text = s.post(t, "application/x-protobuf", "", "", bytes.NewReader(body)); a.StatusCode != 200 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if a.StatusCode != http.StatusTooManyRequests || a.Header.Get("Retry-After") == "" || !strings.Contains(text, "busy") {
		t.Errorf("%d %q %q", a.StatusCode, a.Header.Get("Retry-After"), text)
	}
	var err error
	for range 1000 { // a request that comes again may have given way
		if err = call(t, s.address, body); err != nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if st := status.Convert(err); st.Code() != codes.ResourceExhausted || len(st.Details()) != 1 || !strings.Contains(fmt.Sprint(st.Details()[0]), "retry_delay:{seconds:5}") {
		t.Errorf("gRPC: %v, details %v", err, st.Details())
	}
	mu.Lock()
	ended = true
	for _, w := range pipes {
		w.CloseWithError(io.EOF)
	}
	mu.Unlock()
	waiting.Wait()
	if a, text := s.post(t, "application/x-protobuf", "", "", bytes.NewReader(body)); a.StatusCode != 200 {
		t.Errorf("when the memory is free: %d %s", a.StatusCode, text)
	}
}

// TestARefusalIsToldAtOnce: a client that is refused and does not go on sending is told.
func TestARefusalIsToldAtOnce(t *testing.T) {
	s := serve(t, collector.Options{Token: "secret"})
	c, err := net.Dial("tcp", s.address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(20 * time.Second))
	fmt.Fprint(c, "POST /v1/logs HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-protobuf\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
	a, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil || a.StatusCode != http.StatusUnauthorized {
		t.Errorf("%v %v", a, err)
	}
}

// bare is a codec of gRPC that passes bytes on.
type bare struct{}

func (bare) Marshal(v any) ([]byte, error)   { return *v.(*[]byte), nil }
func (bare) Unmarshal(b []byte, v any) error { *v.(*[]byte) = bytes.Clone(b); return nil }
func (bare) Name() string                    { return "proto" }

var _ encoding.Codec = bare{}

// call calls Export by grpc-go.
func call(t testing.TB, address string, message []byte, pairs ...string) error {
	t.Helper()
	c, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithDefaultCallOptions(grpc.ForceCodec(bare{})))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ctx, cancel := context.WithTimeout(metadata.AppendToOutgoingContext(context.Background(), pairs...), 20*time.Second)
	defer cancel()
	var answer []byte
	return c.Invoke(ctx, "/opentelemetry.proto.collector.logs.v1.LogsService/Export", &message, &answer)
}

// TestGRPCAsGrpcGoSpeaksIt calls the service by grpc-go.
func TestGRPCAsGrpcGoSpeaksIt(t *testing.T) {
	s := serve(t, collector.Options{})
	for name, c := range map[string]struct {
		message []byte
		code    codes.Code
		has     string
	}{
		"a request":                            {message(t, "grpc"), codes.OK, ""},
		"nothing":                              {nil, codes.OK, ""},
		"6 MiB, more than grpc-go's own limit": {message(t, strings.Repeat("x", 6<<20)), codes.OK, ""},
		"malformed":                            {[]byte{10, 200}, codes.InvalidArgument, "byte "},
		"too large":                            {make([]byte, 65<<20), codes.ResourceExhausted, "too large"},
	} {
		err := call(t, s.address, c.message)
		if st := status.Convert(err); st.Code() != c.code || !strings.Contains(st.Message(), c.has) {
			t.Errorf("%s: %v", name, err)
		}
	}
	c, err := grpc.NewClient(s.address, grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithDefaultCallOptions(grpc.ForceCodec(bare{})))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var in, out []byte
	if err := c.Invoke(context.Background(), "/opentelemetry.proto.collector.trace.v1.TraceService/Export", &in, &out); status.Code(err) != codes.Unimplemented {
		t.Errorf("another service: %v", err)
	}
}

func TestTokenAndZstd(t *testing.T) {
	s := serve(t, collector.Options{Token: "secret"})
	body := message(t, "zstd")
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	packed := z.EncodeAll(body, nil)
	for token, want := range map[string]int{"": 401, "Bearer secre": 401, "Basic secret": 401, "secret": 401, "Bearer secret": 200, "bearer  secret": 200} {
		if a, text := s.post(t, "application/x-protobuf", "zstd", token, bytes.NewReader(packed)); a.StatusCode != want {
			t.Errorf("%q: %d %s", token, a.StatusCode, text)
		}
	}
	if err := call(t, s.address, body); status.Code(err) != codes.Unauthenticated {
		t.Errorf("gRPC without a token: %v", err)
	}
	if err := call(t, s.address, body, "authorization", "Bearer secret"); err != nil {
		t.Errorf("gRPC with a token: %v", err)
	}
}

// TestTLS sends logs by the SDK's exporter and by HTTP over TLS.
func TestTLS(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	certificate, _ := x509.ParseCertificate(der)
	roots := x509.NewCertPool()
	roots.AddCert(certificate)
	s := serve(t, collector.Options{TLS: &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}})
	client := &tls.Config{RootCAs: roots}
	e, err := otlploggrpc.New(context.Background(), otlploggrpc.WithEndpoint(s.address), otlploggrpc.WithTLSCredentials(credentials.NewTLS(client)))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Shutdown(context.Background())
	export(t, e, "over TLS")
	h := &http.Client{Transport: &http.Transport{TLSClientConfig: client}}
	a, err := h.Post("https://"+s.address+"/v1/logs", "application/x-protobuf", bytes.NewReader(message(t, "x")))
	if err != nil || a.StatusCode != 200 {
		t.Errorf("%v %v", a, err)
	}
	if a, text := s.post(t, "application/x-protobuf", "", "", bytes.NewReader(message(t, "x"))); a.StatusCode == 200 {
		t.Errorf("without TLS: %d %s", a.StatusCode, text)
	}
}

// TestLogsThatWaitHaveABound: the folder is away, so no file can be written.
func TestLogsThatWaitHaveABound(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "logs")
	c := start(t, collector.Options{Dir: dir, Memory: 32 << 20, Age: time.Hour})
	// A file of the name that the first file will have keeps it from being written.
	body := message(t, strings.Repeat("x", 1<<20))
	if err := c.Ingest(context.Background(), body); err != nil {
		t.Fatal(err)
	}
	block(t, dir)
	refused := error(nil)
	taken := 1
	for ; taken < 40 && refused == nil; taken++ {
		refused = c.Ingest(context.Background(), body)
	}
	if !errors.Is(refused, collector.ErrUnavailable) || taken > 14 {
		t.Errorf("after %d MiB the error is %v", taken, refused)
	}
	unblock(t, dir)
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if got := bodies(t, dir); len(got) != taken-1 {
		t.Errorf("%d logs are in files, %d were taken", len(got), taken-1)
	}
}

// block makes folders of the names of the files that the journals in a folder are for,
// and of the files after them.
func block(t *testing.T, dir string) {
	t.Helper()
	journals, _ := filepath.Glob(filepath.Join(dir, "*.journal"))
	for _, j := range journals {
		target := strings.TrimSuffix(j, ".journal")
		if err := os.MkdirAll(filepath.Join(target, "x"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func unblock(t *testing.T, dir string) {
	t.Helper()
	folders, _ := filepath.Glob(filepath.Join(dir, "*.parquet", "x"))
	for _, f := range folders {
		os.RemoveAll(filepath.Dir(f))
	}
}

// TestManyKeysCostOnce sends requests whose keys are all new.
func TestManyKeysCostOnce(t *testing.T) {
	dir := t.TempDir()
	c := start(t, collector.Options{Dir: dir})
	for i := range 75 {
		var logs []byte
		for j := range 20 {
			for k := range 10 {
				key := fmt.Sprintf("key.%d.%d.%d", i, j, k)
				logs = append(logs, nested(2, nested(6, append(nested(1, []byte(key)), nested(2, nested(1, []byte("v")))...)))...)
			}
		}
		if err := c.Ingest(context.Background(), nested(1, nested(2, logs))); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.parquet"))
	for _, name := range files {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := arrowlog.OpenReader(bytes.NewReader(file), int64(len(file)), arrowlog.Query{})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(r.Columns()); n > 510 {
			t.Errorf("%s has %d columns", name, n)
		}
		rest := false
		for _, c := range r.Columns() {
			rest = rest || c.Name == "rest_json"
		}
		if !rest {
			t.Errorf("%s has no column rest_json", name)
		}
	}
}

// TestColumnsOfTheFileBeforeTakeNoRoom: after a file with many columns come many logs
// that have none of them.
func TestColumnsOfTheFileBeforeTakeNoRoom(t *testing.T) {
	c := start(t, collector.Options{Dir: t.TempDir(), Memory: 32 << 20, Rows: 1})
	defer c.Close()
	var keys []byte
	for i := range 400 {
		keys = append(keys, nested(6, append(nested(1, fmt.Append(nil, "k", i)), nested(2, nested(1, []byte("v")))...))...)
	}
	wide := nested(1, nested(2, nested(2, keys)))
	many := nested(1, nested(2, bytes.Repeat(nested(2, nested(5, nested(1, []byte("b")))), 10_000)))
	for i, m := range [][]byte{wide, wide, many, many, many} { // two encoders take turns
		if err := c.Ingest(context.Background(), m); err != nil {
			t.Errorf("request %d: %v", i, err)
		}
	}
}

// TestAFrameIsRefusedByItsHead: a connection keeps a buffer for the largest frame.
func TestAFrameIsRefusedByItsHead(t *testing.T) {
	s := serve(t, collector.Options{})
	c, err := net.Dial("tcp", s.address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(20 * time.Second))
	io.WriteString(c, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"+"\x00\x00\x00\x04\x00\x00\x00\x00\x00")
	const size = 16<<10 + 1
	c.Write([]byte{size >> 16, size >> 8 & 0xff, size & 0xff, 0, 0, 0, 0, 0, 1}) // DATA, and nothing of it
	r := bufio.NewReader(c)
	for {
		var head [9]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			t.Fatalf("no GOAWAY came: %v", err)
		}
		body := make([]byte, int(head[0])<<16|int(head[1])<<8|int(head[2]))
		if _, err := io.ReadFull(r, body); err != nil {
			t.Fatal(err)
		}
		if head[3] == 7 { // GOAWAY
			if code := binary.BigEndian.Uint32(body[4:]); code != 6 {
				t.Errorf("the error is %d, want FRAME_SIZE_ERROR", code)
			}
			return
		}
	}
}
