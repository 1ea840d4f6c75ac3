package loglines

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"github.com/poolproof/poolproof/systems/arrowlog"
)

// AppendLogfmt appends the row of a line such as
//
//	time=2026-11-23T10:00:00Z level=info msg="it is up" took=1.5 ok
//
// A value without quotes that is a number or a truth value becomes one; a key without
// a value is true. If it returns an error, no row was added.
func (r *Rows) AppendLogfmt(line []byte) error {
	r.begin()
	at, pairs := 0, 0
	for {
		for at < len(line) && line[at] == ' ' || at < len(line) && line[at] == '\t' {
			at++
		}
		if at == len(line) {
			break
		}
		start := at
		for at < len(line) && line[at] > ' ' && line[at] != '=' && line[at] != '"' {
			at++
		}
		key := line[start:at]
		if len(key) == 0 || at < len(line) && line[at] == '"' {
			return fmt.Errorf("not logfmt: byte %d: want a key, got %q", at, line[at])
		}
		v := arrowlog.BoolValue(true)
		if at < len(line) && line[at] == '=' {
			pairs++
			at++
			var err error
			if v, at, err = r.logfmtValue(line, at); err != nil {
				return err
			}
		}
		if err := r.add(r.child(&r.root, key), v, nil); err != nil {
			return err
		}
	}
	if pairs == 0 {
		return errors.New("not logfmt: the line has no key=value")
	}
	return r.end()
}

func (r *Rows) logfmtValue(line []byte, at int) (arrowlog.Value, int, error) {
	if at == len(line) || line[at] != '"' {
		start := at
		for at < len(line) && line[at] > ' ' {
			at++
		}
		return r.bare(line[start:at]), at, nil
	}
	end := at + 1
	for end < len(line) && line[end] != '"' {
		if line[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(line) {
		return arrowlog.Value{}, at, fmt.Errorf("not logfmt: byte %d: the quote is not closed", at)
	}
	quoted := line[at : end+1]
	if bytes.IndexByte(quoted, '\\') < 0 {
		return text(quoted[1 : len(quoted)-1]), end + 1, nil
	}
	s, err := strconv.Unquote(string(quoted))
	if err != nil {
		return arrowlog.Value{}, at, fmt.Errorf("not logfmt: byte %d: an escape in the text %s", at, quoted)
	}
	return arrowlog.StringValue(s), end + 1, nil
}

// bare returns a value without quotes.
func (r *Rows) bare(b []byte) arrowlog.Value {
	switch string(b) {
	case "true":
		return arrowlog.BoolValue(true)
	case "false":
		return arrowlog.BoolValue(false)
	}
	if len(b) > 0 && (b[0] == '-' || b[0]-'0' <= 9) {
		s := scanner{b: b, rows: r}
		if v, err := s.number(new(node)); err == nil && s.at == len(b) {
			return v
		}
	}
	return text(b)
}
