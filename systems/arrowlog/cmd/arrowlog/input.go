package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/poolproof/poolproof/systems/arrowlog"
	"github.com/poolproof/poolproof/systems/arrowlog/collector"
)

// maxLine is the largest line or message in bytes.
const maxLine = 64 << 20

// readJSONL appends each line, a JSON object, as a row. A line with the key
// resourceLogs is an ExportLogsServiceRequest in OTLP/JSON. added is called after
// each line.
func readJSONL(ctx context.Context, r io.Reader, e *arrowlog.Encoder, added func() error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 1<<16), maxLine)
	flat := map[string]any{}
	for n := 1; lines.Scan(); n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		if err := appendLine(e, line, flat); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if err := added(); err != nil {
			return err
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("a line is longer than %d MiB", maxLine>>20)
	} else if err != nil {
		return err
	}
	return nil
}

func appendLine(e *arrowlog.Encoder, line []byte, flat map[string]any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber() // a float64 would change large integers
	var object map[string]any
	if err := d.Decode(&object); err != nil {
		return fmt.Errorf("not a JSON object: %w", err)
	}
	if d.More() {
		return fmt.Errorf("byte %d: there is more after the JSON object", d.InputOffset())
	}
	if _, ok := object["resourceLogs"]; ok {
		message, err := collector.FromJSON(line)
		if err != nil {
			return err
		}
		_, err = e.AppendOTLP(message)
		return err
	}
	clear(flat)
	if err := flatten(e, flat, "", object); err != nil {
		return err
	}
	return e.AppendMap(flat)
}

// flatten turns nested objects into columns with dots in their names. A list
// becomes its JSON text. A value whose kind is not that of its column goes into
// another one, with "#" and the kind after the name.
func flatten(e *arrowlog.Encoder, to map[string]any, prefix string, object map[string]any) error {
	for key, x := range object {
		name := prefix + key
		switch v := x.(type) {
		case map[string]any:
			if err := flatten(e, to, name+".", v); err != nil {
				return err
			}
			continue
		case []any:
			text, err := json.Marshal(v)
			if err != nil {
				return err
			}
			x = string(text)
		case json.Number:
			if n, err := v.Int64(); err == nil {
				x = n
			} else if f, err := v.Float64(); err == nil {
				x = f
			} else {
				x = v.String() // no float64 holds it
			}
		case nil:
			continue
		}
		x, name = fit(e, x, name)
		if _, ok := to[name]; ok {
			return fmt.Errorf("two values for the column %q", name)
		}
		to[name] = x
	}
	return nil
}

// fit returns a value and the name of the column for it.
func fit(e *arrowlog.Encoder, x any, name string) (any, string) {
	kind := arrowlog.Null
	switch x.(type) {
	case string:
		kind = arrowlog.String
	case int64:
		kind = arrowlog.Int64
	case float64:
		kind = arrowlog.Float64
	case bool:
		kind = arrowlog.Bool
	}
	i := e.Batch().Index(name)
	if i < 0 {
		return x, name
	}
	switch have := e.Batch().Column(i).Kind; {
	case have == kind:
		return x, name
	case have == arrowlog.Float64 && kind == arrowlog.Int64:
		n := x.(int64)
		if f := float64(n); int64(f) == n && f < 1<<63 {
			return f, name
		}
	}
	return x, name + "#" + kind.String()
}

// readOTLP appends the messages of a file: one ExportLogsServiceRequest, or many,
// each after its length in four bytes, the most significant first, as the
// OpenTelemetry Collector's file exporter writes them.
func readOTLP(ctx context.Context, r *bufio.Reader, e *arrowlog.Encoder, added func() error) error {
	head, err := r.Peek(1)
	if err == io.EOF {
		return nil
	}
	if err != nil {
		return err
	}
	if head[0] == 1<<3|2 { // the tag of resource_logs: a message without a length
		message, err := io.ReadAll(io.LimitReader(r, maxLine+1))
		if err == nil && len(message) > maxLine {
			err = fmt.Errorf("the message is longer than %d MiB", maxLine>>20)
		}
		if err == nil {
			_, err = e.AppendOTLP(message)
		}
		if err != nil {
			return err
		}
		return added()
	}
	var length [4]byte
	var message []byte
	for at := int64(0); ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch _, err := io.ReadFull(r, length[:]); {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("byte %d: the length of a message: %w", at, err)
		}
		n := binary.BigEndian.Uint32(length[:])
		if n > maxLine {
			return fmt.Errorf("byte %d: a message of %d bytes, at most %d are read; is this a file of OTLP messages?", at, n, maxLine)
		}
		message = append(message[:0], make([]byte, n)...)
		if _, err := io.ReadFull(r, message); err != nil {
			return fmt.Errorf("byte %d: a message of %d bytes: %w", at, n, err)
		}
		if _, err := e.AppendOTLP(message); err != nil {
			return fmt.Errorf("the message at byte %d: %w", at, err)
		}
		at += 4 + int64(n)
		if err := added(); err != nil {
			return err
		}
	}
}

// isOTLP reports whether a file name says that it has OTLP messages.
func isOTLP(name string) bool {
	for _, suffix := range []string{".otlp", ".pb", ".binpb"} {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return false
}
