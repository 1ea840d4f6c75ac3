// Command arrowlog converts logs to Parquet and Arrow IPC, prints such files, and
// receives logs over OTLP.
//
//	arrowlog convert app.jsonl app.parquet
//	arrowlog cat -cols time,body -where 'severity = ERROR' app.parquet
//	arrowlog serve -dir logs -grpc localhost:4317 -http localhost:4318
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// Exit codes, those of poolproof.
const (
	exitDone        = 0
	exitUsage       = 2
	exitInterrupted = 130
)

var commands = []command{convertCommand, catCommand, queryCommand, serveCommand}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second interrupt ends the process
	os.Exit(run(ctx, environment{os.Stdout, os.Stderr}, os.Args[1:]))
}

func run(ctx context.Context, env environment, args []string) int {
	if len(args) == 0 || args[0] == "-h" || args[0] == "-help" || args[0] == "--help" || args[0] == "help" {
		to, code := env.stdout, exitDone
		if len(args) == 0 {
			to, code = env.stderr, exitUsage
		}
		fmt.Fprintln(to, "arrowlog turns logs into Parquet and Arrow files, and reads them.")
		fmt.Fprintln(to)
		for _, c := range commands {
			fmt.Fprintf(to, "  arrowlog %-8s %s\n", c.name, c.short)
		}
		fmt.Fprintln(to, "\narrowlog COMMAND -h explains a command.")
		return code
	}
	for _, c := range commands {
		if c.name != args[0] {
			continue
		}
		f := flag.NewFlagSet(c.name, flag.ContinueOnError)
		f.SetOutput(env.stderr)
		f.Usage = func() {
			fmt.Fprintf(f.Output(), "usage: arrowlog %s %s\n\n%s\n", c.name, c.args, c.long)
			f.PrintDefaults()
		}
		for _, a := range args[1:] {
			if a == "-h" || a == "-help" || a == "--help" {
				f.SetOutput(env.stdout)
			}
		}
		return report(env, c.run(ctx, env, f, args[1:]), ctx)
	}
	fmt.Fprintf(env.stderr, "arrowlog: there is no command %q; arrowlog -h lists them\n", args[0])
	return exitUsage
}

// report prints an error and returns the exit code.
func report(env environment, err error, ctx context.Context) int {
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return exitDone
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		fmt.Fprintln(env.stderr, "arrowlog: interrupted")
		return exitInterrupted
	case errors.As(err, new(flagError)): // flag has printed it
		return exitUsage
	}
	fmt.Fprintln(env.stderr, "arrowlog:", trimPrefix(err.Error()))
	return exitUsage
}
