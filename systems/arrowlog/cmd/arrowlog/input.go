package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/poolproof/poolproof/systems/arrowlog"
	"github.com/poolproof/poolproof/systems/arrowlog/internal/loglines"
	"github.com/poolproof/poolproof/systems/arrowlog/internal/otlpjson"
)

// maxLine is the largest line or message in bytes.
const maxLine = 64 << 20

// input appends the rows of inputs to an encoder.
type input struct {
	e     *arrowlog.Encoder
	rows  *loglines.Rows
	from  string       // the format that was asked for, or auto
	added func() error // is called after each row
	bad   *badLines
}

// read appends the rows of one input.
func (in *input) read(name string, r io.Reader) error {
	b := bufio.NewReaderSize(r, 1<<18)
	if in.from == "otlp" || in.from == "auto" && isOTLP(name) {
		return readOTLP(b, in.e, in.added)
	}
	var format *loglines.Format
	if in.from != "auto" {
		format = loglines.Named(in.from)
	}
	l := lines{r: b, only: true}
	for n := 1; ; n++ {
		line, err := l.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\uFEFF"))
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		if format == nil {
			if format, err = loglines.Detect(line); err != nil {
				return fmt.Errorf("line %d: %w; -from says which it is", n, err)
			}
		}
		if format.Name == "json" && l.only && (string(line) == "{" || line[0] == '[') {
			return in.readPretty(line, b)
		}
		l.only = false
		if err := in.line(format, line); err != nil {
			if skipped := in.bad.keep(name, n, line, err); !skipped {
				return fmt.Errorf("line %d: %w", n, err)
			}
			continue
		}
		if err := in.added(); err != nil {
			return err
		}
	}
}

// line appends the row of a line, or the logs of a line that is a request.
func (in *input) line(format *loglines.Format, line []byte) error {
	err := format.Append(in.rows, line)
	if !errors.Is(err, loglines.ErrOTLP) {
		return err
	}
	message, err := otlpjson.Decode(line)
	if err != nil {
		return err
	}
	_, err = in.e.AppendOTLP(message)
	return err
}

// readPretty reads JSON objects that go over several lines, or a list of them.
func (in *input) readPretty(first []byte, rest io.Reader) error {
	d := json.NewDecoder(io.MultiReader(bytes.NewReader(first), strings.NewReader("\n"), rest))
	list := first[0] == '['
	if list {
		if _, err := d.Token(); err != nil {
			return err
		}
	}
	for n := 1; !list || d.More(); n++ {
		var object json.RawMessage
		at := d.InputOffset()
		switch err := d.Decode(&object); {
		case err == io.EOF && !list:
			return nil
		case err != nil:
			return fmt.Errorf("object %d, byte %d: not a JSON object: %w", n, at, err)
		}
		if err := in.line(loglines.Named("json"), object); err != nil {
			if !in.bad.keep("", n, object, err) {
				return fmt.Errorf("object %d, byte %d: %w", n, at, err)
			}
			continue
		}
		if err := in.added(); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return fmt.Errorf("the list does not end: %w", err)
	}
	return nil
}

// lines reads lines of up to maxLine bytes.
type lines struct {
	r    *bufio.Reader
	long []byte
	only bool // no line with a row has come
}

// next returns a line without its end. It may be used until the next call.
func (l *lines) next() ([]byte, error) {
	line, err := l.r.ReadSlice('\n')
	if err == nil {
		return line[:len(line)-1], nil
	}
	l.long = l.long[:0]
	for errors.Is(err, bufio.ErrBufferFull) {
		l.long = append(l.long, line...)
		if len(l.long) > maxLine {
			return nil, fmt.Errorf("it is longer than %d MiB", maxLine>>20)
		}
		line, err = l.r.ReadSlice('\n')
	}
	l.long = append(l.long, line...)
	if err == io.EOF && len(l.long) > 0 {
		err = nil
	}
	return bytes.TrimSuffix(l.long, []byte("\n")), err
}

// readOTLP appends the messages of a file: one ExportLogsServiceRequest, or many,
// each after its length in four bytes, the most significant first, as the
// OpenTelemetry Collector's file exporter writes them.
func readOTLP(r *bufio.Reader, e *arrowlog.Encoder, added func() error) error {
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
	for _, ending := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, ending)
	}
	for _, suffix := range []string{".otlp", ".pb", ".binpb"} {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return false
}
