package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/poolproof/poolproof/systems/arrowlog"
	"github.com/poolproof/poolproof/systems/arrowlog/internal/otlpjson"
	"github.com/poolproof/poolproof/systems/arrowlog/where"
)

const catLong = `FILE is Parquet or Arrow IPC, of arrowlog or of others. Rows are printed as tab
separated text with a header, or with -json as one JSON object a line. Nulls are
empty, or left out of the objects. Several files are one table: a column that one of
them has not is null there. -otlp prints requests in OTLP/JSON, one a line,
which convert and OpenTelemetry collectors read: columns of OTLP logs become again
what they were, others attributes.

  arrowlog cat app.parquet
  arrowlog query -where 'time >= 2026-11-23T10:00:00Z and severity = ERROR' -cols time,body app.parquet
  arrowlog query -columns app.parquet
`

var (
	catCommand   = command{name: "cat", args: "[flags] FILE...", short: "print the rows of files", long: catLong, run: cat}
	queryCommand = command{name: "query", args: "[flags] FILE...", short: "print the rows of files that satisfy conditions (the same as cat)", long: catLong, run: cat}
)

// printer writes rows of a table. order are the columns of the batch by those of the
// table, -1 where it has none.
type printer func(w *bufio.Writer, columns []string, b *arrowlog.Batch, order []int) error

func cat(ctx context.Context, env environment, f *flag.FlagSet, args []string) error {
	conditions := f.String("where", "", "`conditions` such as 'time > 2026-11-23 and severity = ERROR'")
	cols := f.String("cols", "", "`columns` to print, separated by commas (default all)")
	limit := f.Int("limit", 0, "largest `number` of rows (default all)")
	asJSON := f.Bool("json", false, "print a JSON object for each row")
	asOTLP := f.Bool("otlp", false, "print requests in OTLP/JSON")
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
	switch {
	case *limit < 0:
		return usagef("-limit %d: want a number of rows, or 0 for all", *limit)
	case *asJSON && *asOTLP:
		return usagef("-json and -otlp are two forms of the rows, want one")
	}
	if *cols != "" {
		if q.Columns, err = splitColumns(*cols); err != nil {
			return err
		}
	}
	if *conditions != "" {
		if q.Where, err = where.Parse(*conditions); err != nil {
			return usageError{err}
		}
	}
	t, err := tableOf(args, q)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(env.stdout, 1<<16)
	p := eachRow(printText)
	switch {
	case *describe:
		p = nil
	case *asJSON:
		p = eachRow(printJSON)
	case *asOTLP:
		p = printOTLP
	default:
		t.printHeader(out)
	}
	for i, name := range args {
		stats, err := t.cat(ctx, out, i, q, p)
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

// table is files that are read as one.
type table struct {
	names   []string
	columns []string          // to print
	has     []map[string]bool // by file: its columns
}

// tableOf looks at the columns of files, and whether one at least has those of a query.
func tableOf(names []string, q arrowlog.Query) (*table, error) {
	t := &table{names: names}
	known := map[string]bool{}
	first := arrowlog.Query{}
	if len(names) == 1 {
		first = q // the reader says what is wrong
	}
	for _, name := range names {
		r, file, err := openFile(name, first)
		if err != nil {
			return nil, fmt.Errorf("%s: %s", name, trimPrefix(err.Error()))
		}
		has := map[string]bool{}
		for _, c := range r.Columns() {
			has[c.Name] = true
			if !known[c.Name] {
				known[c.Name] = true
				t.columns = append(t.columns, c.Name)
			}
		}
		t.has = append(t.has, has)
		r.Close()
		file.Close()
	}
	if len(names) == 1 {
		return t, nil
	}
	asked := q.Columns
	for _, c := range q.Where {
		asked = append(asked[:len(asked):len(asked)], c.Column)
	}
	for _, name := range asked {
		if !known[name] {
			return nil, fmt.Errorf("no file has a column %q; they have %s", name, strings.Join(t.columns, ", "))
		}
	}
	if q.Columns != nil {
		t.columns = q.Columns
	}
	return t, nil
}

// openFile opens a file that the caller closes after its reader.
func openFile(name string, q arrowlog.Query) (*arrowlog.Reader, *os.File, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil {
		var r *arrowlog.Reader
		if r, err = arrowlog.OpenReader(file, info.Size(), q); err == nil {
			return r, file, nil
		}
	}
	file.Close()
	return nil, nil, err
}

// printHeader prints the names of the columns.
func (t *table) printHeader(out *bufio.Writer) {
	for i, name := range t.columns {
		if i > 0 {
			out.WriteByte('\t')
		}
		out.WriteString(escape(name))
	}
	out.WriteByte('\n')
}

// cat prints a file. p is nil if only its columns are wanted.
func (t *table) cat(ctx context.Context, out *bufio.Writer, file int, q arrowlog.Query, p printer) (s arrowlog.ReadStats, err error) {
	if len(t.names) > 1 {
		if q.Columns != nil {
			q.Columns = slices.DeleteFunc(slices.Clone(q.Columns), func(c string) bool { return !t.has[file][c] })
		}
		if slices.ContainsFunc(q.Where, func(c where.Condition) bool { return !t.has[file][c.Column] }) {
			return s, nil // a null satisfies no condition
		}
	}
	r, f, err := openFile(t.names[file], q)
	if err != nil {
		return s, err
	}
	defer f.Close()
	defer r.Close()
	if p == nil {
		for _, c := range r.Columns() {
			fmt.Fprintf(out, "%s\t%s\n", c.Name, c.Kind)
		}
		return s, nil
	}
	order := make([]int, len(t.columns))
	for i, name := range t.columns {
		order[i] = slices.IndexFunc(r.Columns(), func(c arrowlog.Column) bool { return c.Name == name })
	}
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
		if err := p(out, t.columns, b, order); err != nil {
			return r.Stats(), err
		}
	}
}

// eachRow returns a printer that writes row by row.
func eachRow(print func(w *bufio.Writer, columns []string, row arrowlog.Row) error) printer {
	var row arrowlog.Row
	return func(w *bufio.Writer, columns []string, b *arrowlog.Batch, order []int) error {
		for i := range b.Rows() {
			row = row[:0]
			for _, c := range order {
				v := arrowlog.NullValue()
				if c >= 0 {
					v = b.Value(i, c)
				}
				row = append(row, v)
			}
			if err := print(w, columns, row); err != nil {
				return err
			}
		}
		return nil
	}
}

// printOTLP writes a request of the rows.
func printOTLP(w *bufio.Writer, _ []string, b *arrowlog.Batch, _ []int) error {
	request, err := arrowlog.AppendOTLP(nil, b)
	if err != nil || b.Rows() == 0 {
		return err
	}
	var line bytes.Buffer
	if err := otlpjson.Append(&line, request); err != nil {
		return err
	}
	line.WriteByte('\n')
	_, err = w.Write(line.Bytes())
	return err
}

func printText(w *bufio.Writer, _ []string, row arrowlog.Row) error {
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

func printJSON(w *bufio.Writer, columns []string, row arrowlog.Row) error {
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
		key, err := json.Marshal(columns[i])
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
