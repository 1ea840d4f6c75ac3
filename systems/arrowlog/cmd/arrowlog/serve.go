package main

import (
	"context"
	"crypto/tls"
	"flag"
	"fmt"
	"math"
	"net"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/systems/arrowlog/collector"
)

var serveCommand = command{
	name: "serve", args: "[flags]", short: "receive OpenTelemetry logs and write files",
	long: `Takes logs over OTLP/gRPC and OTLP/HTTP (protobuf and JSON, with gzip, zstd or no
compression) and writes them into files in -dir, until it is interrupted. A request
is answered after its logs are on the disk: what was acknowledged is not lost, also
in a crash. Each address takes both protocols.

A request that there is no memory for now is answered with 429 or RESOURCE_EXHAUSTED
and a time after which to send it again, one that is too large with 413. Attributes
beyond -max-columns are in the column rest_json, as an object.

  arrowlog serve -dir logs
  arrowlog serve -dir logs -grpc localhost:4317 -http '' -age 5m -format arrow
  arrowlog serve -grpc :4317 -http :4318 -tls-cert server.pem -tls-key key.pem -token-file token
`,
	run: serve,
}

func serve(ctx context.Context, env environment, f *flag.FlagSet, args []string) error {
	var e encoderFlags
	e.define(f)
	dir := f.String("dir", "logs", "`folder` of the files")
	grpcAddress := f.String("grpc", "localhost:4317", "`address` of OTLP/gRPC, empty for none")
	httpAddress := f.String("http", "localhost:4318", "`address` of OTLP/HTTP, empty for none")
	age := f.Duration("age", time.Minute, "longest `time` until logs are in a file")
	format := f.String("format", "parquet", "`format` of the files: parquet or arrow")
	memory := f.String("memory", "512MiB", "`size` of the memory of the process")
	certificate := f.String("tls-cert", "", "`file` of the certificate for TLS")
	key := f.String("tls-key", "", "`file` of its private key")
	tokenFile := f.String("token-file", "", "`file` of the bearer token that clients must send")
	args, err := parse(f, args)
	if err != nil {
		return err
	}
	o, err := e.options()
	switch {
	case err != nil:
		return err
	case len(args) > 0:
		return usagef("serve: unexpected argument %q", args[0])
	case *grpcAddress == "" && *httpAddress == "":
		return usagef("serve: -grpc and -http are both empty, want an address")
	case *age <= 0:
		return usagef("-age %v: want a time above 0", *age)
	case *format != "parquet" && *format != "arrow":
		return usagef("-format %q: want parquet or arrow", *format)
	case (*certificate == "") != (*key == ""):
		return usagef("serve: -tls-cert and -tls-key belong together, one is empty")
	}
	c := collector.Options{
		Dir: *dir, Encoder: o, Rows: e.rows, Age: *age, IPC: *format == "arrow",
		Logf: func(format string, args ...any) { fmt.Fprintf(env.stderr, format+"\n", args...) },
	}
	size, err := parseSize(*memory)
	switch {
	case err != nil:
		return usagef("-memory: %v", err)
	case size < 3*ownMemory:
		return usagef("-memory %s: want %d MiB at least", *memory, 3*ownMemory>>20)
	}
	c.Memory = size - ownMemory
	if *certificate != "" {
		pair, err := tls.LoadX509KeyPair(*certificate, *key)
		if err != nil {
			return fmt.Errorf("-tls-cert %s, -tls-key %s: %w", *certificate, *key, err)
		}
		c.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	}
	if *tokenFile != "" {
		b, err := os.ReadFile(*tokenFile)
		if err != nil {
			return fmt.Errorf("-token-file: %w", err)
		}
		if c.Token = strings.TrimSpace(string(b)); c.Token == "" {
			return usagef("-token-file %s: it is empty", *tokenFile)
		}
	}
	return listen(ctx, env, c, *grpcAddress, *httpAddress)
}

// ownMemory is the memory of the process beside that of the collector: its code, and
// what the runtime does not count.
const ownMemory = 40 << 20

// listen serves on the addresses until ctx ends.
func listen(ctx context.Context, env environment, o collector.Options, addresses ...string) error {
	listeners := make([]net.Listener, len(addresses))
	for i, address := range addresses {
		if address == "" {
			continue
		}
		var err error
		if listeners[i], err = net.Listen("tcp", address); err != nil {
			return err
		}
		defer listeners[i].Close()
	}
	if debug.SetMemoryLimit(-1) == math.MaxInt64 { // GOMEMLIMIT is not set
		debug.SetMemoryLimit(o.Memory - o.Memory/16) // it is passed a little while garbage is looked for
	}
	c, err := collector.New(o)
	if err != nil {
		return err
	}
	for i, name := range []string{"OTLP/gRPC", "OTLP/HTTP"} {
		if listeners[i] != nil {
			fmt.Fprintf(env.stderr, "%s on %s\n", name, listeners[i].Addr())
		}
	}
	return c.Serve(ctx, listeners...)
}

// parseSize reads a number of bytes, with KiB, MiB, GiB, kB, MB or GB after it.
func parseSize(s string) (int64, error) {
	number := strings.TrimRight(s, "BKMGki")
	units := map[string]float64{"": 1, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
	unit, ok := units[s[len(number):]]
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || !ok || !(n*unit >= 0 && n*unit < 1<<62) {
		return 0, fmt.Errorf("%q is not a size such as 512MiB", s)
	}
	return int64(n * unit), nil
}
