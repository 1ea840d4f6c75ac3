package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/poolproof/poolproof/systems/arrowlog"
	"github.com/poolproof/poolproof/systems/arrowlog/internal/loglines"
	"github.com/poolproof/poolproof/systems/arrowlog/logfiles"
)

var convertCommand = command{
	name: "convert", args: "[flags] IN... OUT", short: "turn logs in lines or OTLP messages into Parquet or Arrow IPC",
	long: `IN are files of JSON objects, logfmt, the lines of web servers (Common and Combined
Log Format) or syslog of RFC 5424, told apart by their first line; of JSON that goes
over several lines; or of OTLP messages in protobuf (.otlp, .pb, .binpb). They may be
compressed by gzip or zstd. - is standard input, and a pattern such as 'logs/*.gz' is
all files that it names. OUT ends in .parquet or .arrow.

Nested objects become columns such as http.status; a value of another kind becomes
the column http.status#string, and the second value of a key http.status#2. Integers
become numbers where a fraction follows. Texts in RFC 3339 become times in columns
whose names say that they are (time, ts, created_at ...); -times names columns in which
other texts and numbers since 1970 are times too. More rows than -rows go into further
files: OUT with -000002 and so on before its ending. An interrupt or an error while
standard input is read, which cannot be read again, leaves the rows that came in OUT.

  arrowlog convert app.jsonl app.parquet
  arrowlog convert -times ts -bloom trace_id 'logs/*.jsonl.gz' logs.parquet
  arrowlog convert -sort time_unix_nano in.otlp out.parquet
  journalctl -o json | arrowlog convert -skip-bad 100 - journal.parquet
`,
	run: convert,
}

func convert(ctx context.Context, env environment, f *flag.FlagSet, args []string) error {
	var e encoderFlags
	e.define(f)
	from := f.String("from", "auto", "`format` of the input: auto, otlp, "+loglines.Names())
	times := f.String("times", "", "`columns` whose texts and numbers are times, separated by commas")
	skip := f.Int("skip-bad", 0, "largest `number` of lines that are no logs; they go into OUT.bad")
	args, err := parse(f, args)
	if err != nil {
		return err
	}
	if len(args) < 2 {
		return usagef("convert: want IN and OUT, got %d arguments", len(args))
	}
	out := args[len(args)-1]
	o, err := e.options()
	if err != nil {
		return err
	}
	lineOptions := loglines.Options{MaxColumns: o.MaxColumns}
	if lineOptions.Times, err = splitColumns(*times); err != nil {
		return err
	}
	ending := filepath.Ext(out)
	switch {
	case ending != ".parquet" && ending != ".arrow":
		return usagef("convert: OUT is %q, want a name that ends in .parquet or .arrow", out)
	case *from != "auto" && *from != "otlp" && loglines.Named(*from) == nil:
		return usagef("-from %q: want one of auto, otlp, %s", *from, loglines.Names())
	case *skip < 0:
		return usagef("-skip-bad %d: want a number of lines", *skip)
	}
	names, err := expand(args[:len(args)-1])
	if err != nil {
		return err
	}
	size, err := sizeOf(names)
	if err != nil {
		return err
	}
	o.IPCFile = true
	encoder, err := arrowlog.New(arrowlog.Schema{}, o)
	if err != nil {
		return err
	}
	w, err := logfiles.New(filepath.Dir(out), encoder, logfiles.Options{Rows: e.rows, IPC: ending == ".arrow", Name: numbered(out)})
	if err != nil {
		return err
	}
	in := &input{e: encoder, rows: loglines.New(encoder, lineOptions), from: *from, bad: &badLines{path: out + ".bad", most: *skip}}
	in.added = func() error {
		if n := encoder.Rows(); n < e.rows && n%64 != 0 { // the size of all columns is not asked for each row
			return nil
		}
		return addRow(w, in.rows)
	}
	ended := readAll(ctx, env, in, names, size)
	none := encoder.Rows() == 0 && len(w.Written()) == 0
	switch {
	case ended != nil && (none || !slices.Contains(names, "-")):
		return ended
	case none:
		return fmt.Errorf("%s has no logs", strings.Join(names, ", "))
	case ended == nil && o.SortBy != "" && encoder.Rows() > 0 && encoder.Batch().Index(o.SortBy) < 0 && len(w.Written()) == 0:
		return usagef("-sort %q: %s has no such column", o.SortBy, strings.Join(names, ", "))
	}
	if err := w.Close(); err != nil {
		return errors.Join(ended, err)
	}
	for _, file := range w.Written() {
		fmt.Fprintf(env.stdout, "%s: %d rows, %d columns, %d bytes\n", file.Path, file.Stats.Rows, len(file.Stats.Columns), file.Stats.Bytes)
	}
	if in.bad.n > 0 {
		fmt.Fprintf(env.stderr, "%d lines are no logs and were left out; %s has them. The first: %v\n", in.bad.n, in.bad.path, in.bad.first)
	}
	return ended
}

// readAll reads all inputs.
func readAll(ctx context.Context, env environment, in *input, names []string, size int64) (err error) {
	p := newProgress(env.stderr, size)
	defer p.end()
	defer func() { err = errors.Join(err, in.bad.close()) }()
	for _, name := range names {
		r, close, err := openInput(ctx, name, p)
		if err == nil {
			err = errors.Join(in.read(name, r), close())
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// addRow writes a file if the rows that wait are enough for one.
func addRow(w *logfiles.Writer, rows *loglines.Rows) error {
	written := len(w.Written())
	err := w.Added(time.Time{})
	if len(w.Written()) != written {
		rows.Forget()
	}
	return err
}

// numbered returns the names of the files: OUT, and OUT with a number before its ending.
func numbered(out string) func(int) string {
	ending := filepath.Ext(out)
	return func(n int) string {
		base := strings.TrimSuffix(filepath.Base(out), ending)
		if n > 1 {
			base = fmt.Sprintf("%s-%06d", base, n)
		}
		return base + ending
	}
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
