package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"time"

	"github.com/poolproof/poolproof/systems/arrowlog/collector"
)

var serveCommand = command{
	name: "serve", args: "[flags]", short: "receive OpenTelemetry logs and write files",
	long: `Takes logs over OTLP/gRPC and OTLP/HTTP (protobuf and JSON) and writes them into
files in -dir, until it is interrupted. A request is answered after its logs are on
the disk: what was acknowledged is not lost, also in a crash.

  arrowlog serve -dir logs
  arrowlog serve -dir logs -grpc localhost:4317 -http '' -age 5m -format arrow
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
	}
	o.IPCFile = true
	var listeners [2]net.Listener
	for i, address := range []string{*grpcAddress, *httpAddress} {
		if address == "" {
			continue
		}
		if listeners[i], err = net.Listen("tcp", address); err != nil {
			return err
		}
		defer listeners[i].Close()
	}
	c, err := collector.New(collector.Options{
		Dir: *dir, Encoder: o, Rows: e.rows, Age: *age, IPC: *format == "arrow",
		Logf: func(format string, args ...any) { fmt.Fprintf(env.stderr, format+"\n", args...) },
	})
	if err != nil {
		return err
	}
	for i, name := range []string{"OTLP/gRPC", "OTLP/HTTP"} {
		if listeners[i] != nil {
			fmt.Fprintf(env.stderr, "%s on %s\n", name, listeners[i].Addr())
		}
	}
	return c.Serve(ctx, listeners[0], listeners[1])
}
