package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"syscall"

	"github.com/poolproof/poolproof/systems/arrowlog"
	"github.com/poolproof/poolproof/systems/arrowlog/condition"
)

const catLong = `FILE is Parquet or Arrow IPC, of arrowlog or of others. Rows are printed as tab
separated text with a header, or with -json as one JSON object a line. Nulls are
empty, or left out of the objects.

  arrowlog cat app.parquet
  arrowlog query -where 'time >= 2026-11-23T10:00:00Z and severity = ERROR' -cols time,body app.parquet
  arrowlog query -columns app.parquet
`

var (
	catCommand   = command{name: "cat", args: "[flags] FILE...", short: "print the rows of files", long: catLong, run: cat}
	queryCommand = command{name: "query", args: "[flags] FILE...", short: "print the rows of files that satisfy conditions (the same as cat)", long: catLong, run: cat}
)

// printer writes one row.
type printer func(w *bufio.Writer, columns []arrowlog.Column, row arrowlog.Row) error

func cat(ctx context.Context, env environment, f *flag.FlagSet, args []string) error {
	where := f.String("where", "", "`conditions` such as 'time > 2026-11-23 and severity = ERROR'")
	cols := f.String("cols", "", "`columns` to print, separated by commas (default all)")
	limit := f.Int("limit", 0, "largest `number` of rows (default all)")
	asJSON := f.Bool("json", false, "print a JSON object for each row")
	describe := f.Bool("columns", false, "print the columns and their kinds in place of rows")
	verbose := f.Bool("v", false, "say how many row groups the conditions have skipped")
	args, err := parse(f, args)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return usagef("%s: want a file", f.Name())
	}
	q := arrowlog.Query{Limit: *limit}
	if *limit < 0 {
		return usagef("-limit %d: want a number of rows, or 0 for all", *limit)
	}
	if *cols != "" {
		if q.Columns, err = splitColumns(*cols); err != nil {
			return err
		}
	}
	if *where != "" {
		if q.Where, err = condition.Parse(*where); err != nil {
			return usageError{err}
		}
	}
	out := bufio.NewWriterSize(env.stdout, 1<<16)
	for i, name := range args {
		p := printText
		switch {
		case *asJSON:
			p = printJSON
		case *describe:
			p = nil
		}
		stats, err := catFile(ctx, out, name, q, p, i == 0 && !*asJSON)
		if flushed := out.Flush(); err == nil {
			err = flushed
		}
		if errors.Is(err, syscall.EPIPE) { // as with head
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %s", name, trimPrefix(err.Error()))
		}
		if *verbose {
			fmt.Fprintf(env.stderr, "%s: %d rows of %d looked at, %d of %d row groups skipped\n", name, stats.Rows, stats.RowsLookedAt, stats.GroupsSkipped, stats.Groups)
		}
		if q.Limit > 0 {
			if q.Limit -= int(stats.Rows); q.Limit == 0 {
				return nil
			}
		}
	}
	return nil
}

// catFile prints a file. p is nil if only the columns are wanted.
func catFile(ctx context.Context, out *bufio.Writer, name string, q arrowlog.Query, p printer, header bool) (s arrowlog.ReadStats, err error) {
	file, err := os.Open(name)
	if err != nil {
		return s, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return s, err
	}
	r, err := arrowlog.OpenReader(file, info.Size(), q)
	if err != nil {
		return s, err
	}
	defer r.Close()
	columns := r.Columns()
	if p == nil {
		for _, c := range columns {
			fmt.Fprintf(out, "%s\t%s\n", c.Name, c.Kind)
		}
		return s, nil
	}
	if header {
		for i, c := range columns {
			if i > 0 {
				out.WriteByte('\t')
			}
			out.WriteString(escape(c.Name))
		}
		out.WriteByte('\n')
	}
	var row arrowlog.Row
	for {
		if err := ctx.Err(); err != nil {
			return r.Stats(), err
		}
		b, err := r.Next()
		if err == io.EOF {
			return r.Stats(), nil
		}
		if err != nil {
			return r.Stats(), err
		}
		for i := range b.Rows() {
			row = b.AppendRow(row[:0], i)
			if err := p(out, columns, row); err != nil {
				return r.Stats(), err
			}
		}
	}
}

func printText(w *bufio.Writer, _ []arrowlog.Column, row arrowlog.Row) error {
	for i, v := range row {
		if i > 0 {
			w.WriteByte('\t')
		}
		if v.Kind() == arrowlog.String {
			w.WriteString(escape(v.Text()))
			continue
		}
		w.Write(v.AppendText(w.AvailableBuffer()))
	}
	return w.WriteByte('\n')
}

// escape keeps a text on its line and in its field.
func escape(s string) string {
	if !strings.ContainsAny(s, "\t\n\r\\\x1b\x00") {
		return s
	}
	return strings.NewReplacer("\\", `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`, "\x1b", `\x1b`, "\x00", `\0`).Replace(s)
}

func printJSON(w *bufio.Writer, columns []arrowlog.Column, row arrowlog.Row) error {
	w.WriteByte('{')
	first := true
	for i, v := range row {
		var x any
		switch v.Kind() {
		case arrowlog.Null:
			continue
		case arrowlog.String:
			x = v.Text()
		case arrowlog.Bytes:
			x = v.AsBytes() // base64
		case arrowlog.Int64:
			x = v.Int64()
		case arrowlog.Float64:
			x = v.Float64()
			if f := v.Float64(); math.IsNaN(f) || math.IsInf(f, 0) {
				x = v.String() // JSON has no number for it
			}
		case arrowlog.Bool:
			x = v.Bool()
		case arrowlog.Timestamp:
			x = v.String()
		}
		key, err := json.Marshal(columns[i].Name)
		if err != nil {
			return err
		}
		value, err := json.Marshal(x)
		if err != nil {
			return err
		}
		if !first {
			w.WriteByte(',')
		}
		first = false
		w.Write(key)
		w.WriteByte(':')
		w.Write(value)
	}
	_, err := w.WriteString("}\n")
	return err
}
