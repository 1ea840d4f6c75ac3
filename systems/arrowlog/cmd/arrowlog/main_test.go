package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploggrpc"
	"go.opentelemetry.io/otel/log"
	sdk "go.opentelemetry.io/otel/sdk/log"
	collogspb "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	"google.golang.org/protobuf/proto"
)

// TestMain runs the command itself in child processes.
func TestMain(m *testing.M) {
	if os.Getenv("ARROWLOG_TEST_MAIN") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func call(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(context.Background(), environment{&out, &errs}, args)
	return code, out.String(), errs.String()
}

func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

const sample = `{"time":"2026-11-23T10:00:00Z","severity":"INFO","http":{"status":200,"took":1.5},"big":9007199254740993}
{"time":"2026-11-23T10:00:01Z","severity":"ERROR","http":{"status":"none","took":2},"tags":["a","b"],"text":"tab\tline\nend"}

{"severity":"ERROR","none":null,"ok":true}
`

func TestConvertAndCat(t *testing.T) {
	in := write(t, "app.jsonl", sample)
	for _, ending := range []string{".parquet", ".arrow"} {
		out := filepath.Join(t.TempDir(), "app"+ending)
		code, stdout, stderr := call("convert", in, out)
		if code != 0 || !strings.HasPrefix(stdout, out+": 3 rows, 9 columns, ") || stderr != "" {
			t.Fatalf("convert: %d %q %q", code, stdout, stderr)
		}
		for want, args := range map[string][]string{
			"severity\tbig\nINFO\t9007199254740993\nERROR\t\nERROR\t\n":            {"cat", "-cols", "severity,big", out},
			"http.status\thttp.status#string\thttp.took\n\tnone\t2\n":              {"query", out, "-where", "time = 2026-11-23T10:00:01Z", "-cols", "http.status,http.status#string,http.took"},
			"{\"tags\":\"[\\\"a\\\",\\\"b\\\"]\",\"text\":\"tab\\tline\\nend\"}\n": {"cat", "-json", "-cols", "tags,text", "-where", "text != ''", out},
			"text\ntab\\tline\\nend\n":                                             {"cat", "-cols", "text", "-where", "text != ''", out},
			"severity\nINFO\n":                                                     {"cat", "-cols", "severity", "-limit", "1", out},
			"severity\nINFO\nERROR\n" + "ERROR\n" + "INFO\n":                       {"cat", "-cols", "severity", "-limit", "4", out, out},
			"ok\tbool\n": {"cat", "-columns", "-cols", "ok", out},
		} {
			if code, stdout, stderr := call(args...); code != 0 || stdout != want || stderr != "" {
				t.Errorf("%q: %d %q %q, want %q", args, code, stdout, stderr, want)
			}
		}
	}
}

func TestConvertCutsFiles(t *testing.T) {
	var in strings.Builder
	for i := range 250 {
		fmt.Fprintf(&in, "{\"n\":%d}\n", 249-i)
	}
	dir := t.TempDir()
	code, stdout, stderr := call("convert", "-rows", "100", "-sort", "n", write(t, "n.jsonl", in.String()), filepath.Join(dir, "n.parquet"))
	if code != 0 || strings.Count(stdout, "\n") != 3 {
		t.Fatalf("%d %q %q", code, stdout, stderr)
	}
	_, first, _ := call("cat", "-limit", "2", filepath.Join(dir, "n.parquet"))
	_, last, _ := call("cat", "-limit", "2", filepath.Join(dir, "n-000003.parquet"))
	if first != "n\n150\n151\n" || last != "n\n0\n1\n" {
		t.Errorf("the files begin with %q and %q", first, last)
	}
}

func request(t *testing.T, body string) []byte {
	t.Helper()
	b, err := proto.Marshal(&collogspb.ExportLogsServiceRequest{ResourceLogs: []*logspb.ResourceLogs{{ScopeLogs: []*logspb.ScopeLogs{{LogRecords: []*logspb.LogRecord{
		{TimeUnixNano: 1, Body: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: body}}}}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestConvertOTLP(t *testing.T) {
	one := request(t, "one")
	var many []byte
	for _, b := range []string{"a", "b", "c"} {
		m := request(t, b)
		many = append(binary.BigEndian.AppendUint32(many, uint32(len(m))), m...)
	}
	json := `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"json"}}]}]}]}`
	for name, c := range map[string]struct{ in, want string }{
		"one.otlp":   {string(one), "body\none\n"},
		"many.otlp":  {string(many), "body\na\nb\nc\n"},
		"json.jsonl": {json + "\n" + json, "body\njson\njson\n"},
	} {
		out := filepath.Join(t.TempDir(), "x.parquet")
		if code, _, stderr := call("convert", write(t, name, c.in), out); code != 0 {
			t.Errorf("%s: %d %q", name, code, stderr)
			continue
		}
		if _, stdout, _ := call("cat", "-cols", "body", out); stdout != c.want {
			t.Errorf("%s: %q, want %q", name, stdout, c.want)
		}
	}
	for name, c := range map[string]struct{ in, want string }{
		"cut.otlp":   {string(many[:len(many)-1]), "a message of 20 bytes: unexpected EOF"},
		"text.otlp":  {"hello, world", "is this a file of OTLP messages?"},
		"bad.jsonl":  {"{\"a\":1}\n{\"a\":", "line 2: not a JSON object"},
		"more.jsonl": {"{\"a\":1} 2", "there is more after the JSON object"},
		"list.jsonl": {"[1]", "object 1, byte 1: not a JSON object"},
		"none.jsonl": {"\n\n", "has no logs"},
	} {
		if code, _, stderr := call("convert", write(t, name, c.in), filepath.Join(t.TempDir(), "x.parquet")); code != exitUsage || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: %d %q, want %q", name, code, stderr, c.want)
		}
	}
}

// TestSeveralFilesAreOneTable: columns that a file has not are null there, and a
// condition on one of them holds for none of its rows.
func TestSeveralFilesAreOneTable(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.parquet"), filepath.Join(dir, "b.arrow")
	call("convert", write(t, "a.jsonl", `{"a":1,"b":2}`), a)
	call("convert", write(t, "b.jsonl", `{"b":3,"c":4}`), b)
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "a\tb\tc\n1\t2\t\n\t3\t4\n"},
		{[]string{"-json"}, "{\"a\":1,\"b\":2}\n{\"b\":3,\"c\":4}\n"},
		{[]string{"-cols", "c,a"}, "c\ta\n\t1\n4\t\n"},
		{[]string{"-cols", "b", "-where", "a = 1"}, "b\n2\n"},
		{[]string{"-where", "c > 0"}, "a\tb\tc\n\t3\t4\n"},
	} {
		if code, stdout, stderr := call(slices.Concat([]string{"cat"}, c.args, []string{a, b})...); code != 0 || stdout != c.want {
			t.Errorf("%q: %d %q %s, want %q", c.args, code, stdout, stderr, c.want)
		}
	}
	if code, _, stderr := call("cat", "-cols", "x", a, b); code != exitUsage || !strings.Contains(stderr, `no file has a column "x"; they have a, b, c`) {
		t.Errorf("%d %s", code, stderr)
	}
}

// TestLogsComeBackAsOTLP: what cat -otlp prints, convert reads again.
func TestLogsComeBackAsOTLP(t *testing.T) {
	logs := `{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}}]},` +
		`"scopeLogs":[{"scope":{"name":"a"},"logRecords":[` +
		`{"timeUnixNano":"1763892000123456789","severityNumber":9,"body":{"stringValue":"one"},` +
		`"attributes":[{"key":"list","value":{"arrayValue":{"values":[{"intValue":"1"}]}}}],` +
		`"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174"},{"body":{"stringValue":"two"}}]}]}]}` + "\n"
	file := filepath.Join(t.TempDir(), "x.parquet")
	if code, _, stderr := call("convert", write(t, "a.jsonl", logs), file); code != 0 {
		t.Fatal(stderr)
	}
	code, stdout, stderr := call("cat", "-otlp", file)
	if code != 0 || stdout != logs {
		t.Errorf("cat -otlp: %d %s\n%s\nwant\n%s", code, stderr, stdout, logs)
	}
	if _, stdout, _ := call("cat", "-otlp", "-where", "body = none", file); stdout != "" {
		t.Errorf("no row, and %q", stdout)
	}
	plain := filepath.Join(t.TempDir(), "y.parquet")
	call("convert", write(t, "b.jsonl", `{"trace_id":"abc"}`), plain)
	if code, _, stderr := call("cat", "-otlp", plain); code == 0 || !strings.Contains(stderr, "trace_id") {
		t.Errorf("a trace_id that is none: %d %q", code, stderr)
	}
}

func TestBadCalls(t *testing.T) {
	in := write(t, "a.jsonl", "{\"a\":1}")
	parquet := filepath.Join(t.TempDir(), "a.parquet")
	call("convert", in, parquet)
	for want, args := range map[string][]string{
		"arrowlog -h lists them":           {"fly"},
		"want IN and OUT, got 1 arguments": {"convert", in},
		"ends in .parquet or .arrow":       {"convert", in, "x.csv"},
		`-dictionary "x": want one of`:     {"convert", "-dictionary", "x", in, parquet},
		"-rows 0: want a number above 0":   {"convert", "-rows", "0", in, parquet},
		"no such file":                     {"convert", "nothing.jsonl", parquet},
		"is a folder":                      {"convert", t.TempDir(), parquet},
		`-sort "b"`:                        {"convert", "-sort", "b", in, filepath.Join(t.TempDir(), "s.parquet")},
		"cat: want a file":                 {"cat"},
		"-json and -otlp":                  {"cat", "-json", "-otlp", parquet},
		"neither Parquet nor Arrow IPC":    {"cat", in},
		`has no column "x"; it has a`:      {"cat", "-cols", "x", parquet},
		"byte 1: want one of":              {"cat", "-where", "a", parquet},
		"flag provided but not defined":    {"cat", "-nope", parquet},
		"are both empty":                   {"serve", "-grpc", "", "-http", ""},
		"-age 0s":                          {"serve", "-age", "0"},
		`-format "csv"`:                    {"serve", "-format", "csv"},
		"unexpected argument":              {"serve", "dir"},
	} {
		if code, stdout, stderr := call(args...); code != exitUsage || !strings.Contains(stderr, want) || stdout != "" {
			t.Errorf("%q: %d %q %q, want %q", args, code, stdout, stderr, want)
		}
	}
	if code, stdout, stderr := call("cat", "-h"); code != 0 || !strings.Contains(stdout, "arrowlog query -where") || stderr != "" {
		t.Errorf("cat -h: %d %q %q", code, stdout, stderr)
	}
	if code, stdout, _ := call("-h"); code != 0 || !strings.Contains(stdout, "arrowlog serve") {
		t.Errorf("-h: %d %q", code, stdout)
	}
}

// server is a child process that serves.
type server struct {
	cmd     *exec.Cmd
	address string
	log     *bytes.Buffer
	done    chan struct{}
}

func serveIn(t *testing.T, dir string) *server {
	t.Helper()
	return serveUnder(t, nil, "-dir", dir, "-grpc", "127.0.0.1:0", "-http", "", "-age", "200ms")
}

// serveUnder starts a server with one address, as a child of the command wrapper if
// there is one.
func serveUnder(t *testing.T, wrapper []string, flags ...string) *server {
	t.Helper()
	args := slices.Concat(wrapper, []string{os.Args[0], "serve"}, flags)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "ARROWLOG_TEST_MAIN=1")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &server{cmd: cmd, log: &bytes.Buffer{}, done: make(chan struct{})}
	r := bufio.NewReader(stderr)
	for s.address == "" {
		line, err := r.ReadString('\n')
		s.log.WriteString(line)
		if err != nil {
			t.Fatalf("the server ended: %s", s.log)
		}
		for _, kind := range []string{"OTLP/gRPC on ", "OTLP/HTTP on "} {
			if a, ok := strings.CutPrefix(line, kind); ok {
				s.address = strings.TrimSpace(a)
			}
		}
	}
	go func() { io.Copy(s.log, r); close(s.done) }()
	return s
}

// TestAKilledServerLosesNothingThatItAcknowledged kills the server in the middle of
// its work, several times, and then reads the files.
func TestAKilledServerLosesNothingThatItAcknowledged(t *testing.T) {
	dir := t.TempDir()
	var mu sync.Mutex
	acknowledged := map[string]bool{}
	rounds := 4
	if !testing.Short() {
		rounds = 50
	}
	for round := range rounds {
		s := serveIn(t, dir)
		ctx, cancel := context.WithCancel(context.Background())
		var clients sync.WaitGroup
		for g := range 3 {
			clients.Go(func() {
				e, err := otlploggrpc.New(ctx, otlploggrpc.WithEndpoint(s.address), otlploggrpc.WithInsecure(), otlploggrpc.WithRetry(otlploggrpc.RetryConfig{}))
				if err != nil {
					t.Error(err)
					return
				}
				defer e.Shutdown(context.Background())
				for i := 0; ctx.Err() == nil; i++ {
					body := fmt.Sprint(round, ".", g, ".", i)
					if e.Export(ctx, []sdk.Record{record(body)}) != nil {
						return
					}
					mu.Lock()
					acknowledged[body] = true
					mu.Unlock()
				}
			})
		}
		time.Sleep(300*time.Millisecond + time.Duration(round%12)*70*time.Millisecond)
		count := func() int {
			mu.Lock()
			defer mu.Unlock()
			return len(acknowledged)
		}
		for end := time.Now().Add(20 * time.Second); count() < 5*(round+1) && time.Now().Before(end); {
			time.Sleep(10 * time.Millisecond)
		}
		s.cmd.Process.Kill()
		<-s.done
		s.cmd.Wait()
		cancel()
		clients.Wait()
	}
	s := serveIn(t, dir)
	s.cmd.Process.Signal(os.Interrupt)
	<-s.done
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("the server ended with %v: %s", err, s.log)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.parquet"))
	_, stdout, stderr := call(append([]string{"cat", "-cols", "body"}, files...)...)
	found := map[string]bool{}
	for _, b := range strings.Split(stdout, "\n") {
		found[b] = true
	}
	missing := 0
	for b := range acknowledged {
		if !found[b] {
			missing++
		}
	}
	if missing > 0 || len(acknowledged) < 20 {
		t.Errorf("of %d logs that were acknowledged %d are in none of the %d files %s", len(acknowledged), missing, len(files), stderr)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.journal")); len(left) > 0 {
		t.Errorf("journals are left: %q", left)
	}
	t.Logf("%d logs acknowledged, %d files", len(acknowledged), len(files))
}

func record(body string) sdk.Record {
	var made sdk.Record
	p := sdk.NewLoggerProvider(sdk.WithProcessor(keeper{&made}))
	var r log.Record
	r.SetBody(attribute.StringValue(body))
	p.Logger("test").Emit(context.Background(), r)
	return made
}

// keeper is a processor that keeps the record, which only the SDK can make.
type keeper struct{ to *sdk.Record }

func (k keeper) OnEmit(_ context.Context, r *sdk.Record) error     { *k.to = r.Clone(); return nil }
func (keeper) Enabled(context.Context, sdk.EnabledParameters) bool { return true }
func (keeper) Shutdown(context.Context) error                      { return nil }
func (keeper) ForceFlush(context.Context) error                    { return nil }
