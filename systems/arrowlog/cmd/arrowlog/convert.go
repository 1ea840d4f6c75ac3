package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/poolproof/poolproof/systems/arrowlog"
	"github.com/poolproof/poolproof/systems/arrowlog/logfiles"
)

var convertCommand = command{
	name: "convert", args: "[flags] IN OUT", short: "turn JSON lines or OTLP messages into Parquet or Arrow IPC",
	long: `IN is a file of JSON objects, one a line (.jsonl, .json, - for standard input), or
of OTLP messages in protobuf (.otlp, .pb, .binpb). OUT ends in .parquet or .arrow.
Nested objects become columns such as http.status; a value of another kind becomes
the column http.status#string, and the second value of a key http.status#2. More
rows than -rows go into further files: OUT with -000002 and so on before its ending.

  arrowlog convert app.jsonl app.parquet
  arrowlog convert -sort time_unix_nano -engine arrow-go in.otlp out.parquet
`,
	run: convert,
}

func convert(ctx context.Context, env environment, f *flag.FlagSet, args []string) error {
	var e encoderFlags
	e.define(f)
	args, err := parse(f, args)
	if err != nil {
		return err
	}
	if len(args) != 2 {
		return usagef("convert: want IN and OUT, got %d arguments", len(args))
	}
	in, out := args[0], args[1]
	o, err := e.options()
	if err != nil {
		return err
	}
	ending := filepath.Ext(out)
	if ending != ".parquet" && ending != ".arrow" {
		return usagef("convert: OUT is %q, want a name that ends in .parquet or .arrow", out)
	}
	o.IPCFile = true
	from, size, err := openInput(in)
	if err != nil {
		return err
	}
	defer from.Close()
	encoder, err := arrowlog.New(arrowlog.Schema{}, o)
	if err != nil {
		return err
	}
	w, err := logfiles.New(filepath.Dir(out), encoder, logfiles.Options{
		Rows: e.rows, IPC: ending == ".arrow",
		Name: func(n int) string {
			base := strings.TrimSuffix(filepath.Base(out), ending)
			if n > 1 {
				base = fmt.Sprintf("%s-%06d", base, n)
			}
			return base + ending
		},
	})
	if err != nil {
		return err
	}
	p := newProgress(env.stderr, size)
	r := bufio.NewReaderSize(io.TeeReader(from, p), 1<<16)
	added := func() error { return w.Added(time.Now()) }
	if isOTLP(in) {
		err = readOTLP(ctx, r, encoder, added)
	} else {
		err = readJSONL(ctx, r, encoder, added)
	}
	p.end()
	if err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	if encoder.Rows() == 0 && len(w.Written()) == 0 {
		return fmt.Errorf("%s has no logs", in)
	}
	if o.SortBy != "" && encoder.Batch().Index(o.SortBy) < 0 {
		return usagef("-sort %q: %s has no such column", o.SortBy, in)
	}
	if err := w.Close(); err != nil {
		return err
	}
	for _, file := range w.Written() {
		fmt.Fprintf(env.stdout, "%s: %d rows, %d columns, %d bytes\n", file.Path, file.Stats.Rows, len(file.Stats.Columns), file.Stats.Bytes)
	}
	return nil
}

// openInput opens a file, or standard input for "-", whose size is 0.
func openInput(name string) (io.ReadCloser, int64, error) {
	if name == "-" {
		return os.Stdin, 0, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s is a folder, want a file", name)
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// progress shows how much of the input was read: a line that is written over on a
// terminal, a line every ten seconds elsewhere.
type progress struct {
	to       io.Writer
	terminal bool
	size     int64
	read     int64
	start    time.Time
	shown    time.Time
}

func newProgress(to io.Writer, size int64) *progress {
	p := &progress{to: to, size: size, start: time.Now()}
	p.shown = p.start
	if f, ok := to.(*os.File); ok {
		p.terminal = term.IsTerminal(int(f.Fd()))
	}
	return p
}

// Write counts bytes that were read.
func (p *progress) Write(b []byte) (int, error) {
	p.read += int64(len(b))
	every := 10 * time.Second
	if p.terminal {
		every = 200 * time.Millisecond
	}
	if now := time.Now(); now.Sub(p.shown) >= every {
		p.shown = now
		p.show(now)
	}
	return len(b), nil
}

func (p *progress) show(now time.Time) {
	text := fmt.Sprintf("%d MB read", p.read/1e6)
	if p.size > 0 && p.read > 0 {
		left := time.Duration(float64(now.Sub(p.start)) * float64(p.size-p.read) / float64(p.read))
		text = fmt.Sprintf("%d of %d MB read, %v left", p.read/1e6, p.size/1e6, left.Round(time.Second))
	}
	if p.terminal {
		fmt.Fprintf(p.to, "\r\x1b[K%s", text)
	} else {
		fmt.Fprintln(p.to, text)
	}
}

// end takes the line away.
func (p *progress) end() {
	if p.terminal {
		fmt.Fprint(p.to, "\r\x1b[K")
	}
}
