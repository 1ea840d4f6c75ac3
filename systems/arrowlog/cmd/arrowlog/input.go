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
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/systems/arrowlog"
	"github.com/poolproof/poolproof/systems/arrowlog/collector"
)

// maxLine is the largest line or message in bytes.
const maxLine = 64 << 20

// maxDepth is the depth to which nested objects become columns. A deeper one becomes
// its JSON text, as a list does.
const maxDepth = 32

// readJSONL appends each line, a JSON object, as a row. A line with the key
// resourceLogs is an ExportLogsServiceRequest in OTLP/JSON. A byte order mark in
// front of the first line is passed over. added is called after each line.
func readJSONL(ctx context.Context, r io.Reader, e *arrowlog.Encoder, added func() error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 1<<16), maxLine)
	row := map[string]any{}
	for n := 1; lines.Scan(); n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		line := lines.Bytes()
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\uFEFF"))
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		if err := appendLine(e, line, row); err != nil {
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

// appendLine appends the row of one line. row is cleared and used.
func appendLine(e *arrowlog.Encoder, line []byte, row map[string]any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	var object json.RawMessage
	if err := d.Decode(&object); err != nil {
		return fmt.Errorf("not a JSON object: %w", err)
	}
	if object[0] != '{' {
		return errors.New("not a JSON object: each line must be one, such as {\"time\": 1}")
	}
	if d.More() {
		return fmt.Errorf("byte %d: there is more after the JSON object", d.InputOffset())
	}
	clear(row)
	request, err := flatten(e, row, "", object, 1)
	if err != nil {
		return err
	}
	if !request {
		return e.AppendMap(row)
	}
	message, err := collector.FromJSON(line)
	if err != nil {
		return err
	}
	_, err = e.AppendOTLP(message)
	return err
}

// flatten turns nested objects into columns with dots in their names. A list
// becomes its JSON text. A value whose kind is not that of its column goes into
// another one, with "#" and the kind after the name; a value whose column has one
// in this row already, as when an object has a key twice, with "#" and a number.
// flatten stops and reports whether the object has the key resourceLogs at its top.
func flatten(e *arrowlog.Encoder, to map[string]any, prefix string, object []byte, depth int) (request bool, err error) {
	d := json.NewDecoder(bytes.NewReader(object))
	if _, err := d.Token(); err != nil { // the brace
		return false, err
	}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return false, err
		}
		key := token.(string) // JSON was checked, so this is a key
		if depth == 1 && key == "resourceLogs" {
			return true, nil
		}
		var text json.RawMessage
		if err := d.Decode(&text); err != nil {
			return false, err
		}
		if text[0] == '{' && depth < maxDepth {
			if _, err := flatten(e, to, prefix+key+".", text, depth+1); err != nil {
				return false, err
			}
			continue
		}
		x, err := value(text)
		if err != nil {
			return false, err
		}
		if x == nil {
			continue
		}
		for n, name := 2, prefix+key; ; n++ {
			x, column := fit(e, x, name)
			if _, ok := to[column]; !ok {
				to[column] = x
				break
			}
			name = fmt.Sprint(prefix, key, "#", n)
		}
	}
	return false, nil
}

// value returns what a JSON text means, nil for null. A number that neither int64
// nor float64 holds, and a list or an object, is its text.
func value(text json.RawMessage) (any, error) {
	switch text[0] {
	case 'n':
		return nil, nil
	case 't', 'f':
		return text[0] == 't', nil
	case '"':
		var s string
		err := json.Unmarshal(text, &s)
		return s, err
	case '[', '{':
		var b bytes.Buffer
		err := json.Compact(&b, text)
		return b.String(), err
	}
	s := string(text)
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, nil
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil && strings.ContainsAny(s, ".eE") {
		return f, nil
	}
	return s, nil
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
