package loglines

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/poolproof/poolproof/systems/arrowlog"
)

// AppendWeb appends the row of a line in the Common or Combined Log Format, which
// Apache and nginx write:
//
//	host ident user [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 2326 "referer" "agent"
//
// A field that is - is null. What stands after the agent is in the column more. If it
// returns an error, no row was added.
func (r *Rows) AppendWeb(line []byte) error {
	r.begin()
	f := fields{b: line}
	for _, key := range []string{"host", "ident", "user"} {
		word, err := f.word()
		if err != nil {
			return fmt.Errorf("not a line of a web server: %s: %w", key, err)
		}
		if err := r.field(key, word); err != nil {
			return err
		}
	}
	when, err := f.between('[', ']')
	if err != nil {
		return fmt.Errorf("not a line of a web server: the time: %w", err)
	}
	t, err := time.Parse("02/Jan/2006:15:04:05 -0700", string(when))
	if err != nil || t.Year() < 1678 || t.Year() > 2261 {
		return fmt.Errorf("not a line of a web server: the time is %q, want 10/Oct/2000:13:55:36 -0700", when)
	}
	if err := r.add(r.child(&r.root, []byte("time")), arrowlog.TimestampValue(t.UnixNano()), nil); err != nil {
		return err
	}
	request, err := f.between('"', '"')
	if err != nil {
		return fmt.Errorf("not a line of a web server: the request: %w", err)
	}
	if parts := bytes.Split(request, []byte(" ")); len(parts) == 3 {
		for i, key := range []string{"method", "path", "protocol"} {
			if err := r.field(key, parts[i]); err != nil {
				return err
			}
		}
	} else if err := r.field("request", request); err != nil {
		return err
	}
	for _, key := range []string{"status", "bytes"} {
		word, err := f.word()
		if err != nil {
			return fmt.Errorf("not a line of a web server: %s: %w", key, err)
		}
		if string(word) == "-" {
			continue
		}
		if err := r.add(r.child(&r.root, []byte(key)), r.bare(word), nil); err != nil {
			return err
		}
	}
	for _, key := range []string{"referer", "agent"} {
		if f.left() == 0 || f.b[f.at] != '"' {
			break
		}
		b, err := f.between('"', '"')
		if err == nil {
			err = r.field(key, b)
		}
		if err != nil {
			return err
		}
	}
	if f.left() > 0 {
		if err := r.field("more", f.b[f.at:]); err != nil {
			return err
		}
	}
	return r.end()
}

// field adds a text, unless it is -.
func (r *Rows) field(key string, b []byte) error {
	if string(b) == "-" {
		return nil
	}
	return r.add(r.child(&r.root, []byte(key)), text(b), nil)
}

// fields reads a line by its spaces, quotes and brackets.
type fields struct {
	b  []byte
	at int
}

// left passes over spaces and returns how much of the line is left.
func (f *fields) left() int {
	for f.at < len(f.b) && f.b[f.at] == ' ' {
		f.at++
	}
	return len(f.b) - f.at
}

func (f *fields) word() ([]byte, error) {
	if f.left() == 0 {
		return nil, errors.New("the line ends")
	}
	start := f.at
	for f.at < len(f.b) && f.b[f.at] != ' ' {
		f.at++
	}
	return f.b[start:f.at], nil
}

// between returns what stands between two bytes. A backslash stands before a byte that
// does not end it.
func (f *fields) between(open, end byte) ([]byte, error) {
	if f.left() == 0 || f.b[f.at] != open {
		return nil, fmt.Errorf("byte %d: want %c", f.at, open)
	}
	start := f.at + 1
	for i := start; i < len(f.b); i++ {
		switch f.b[i] {
		case '\\':
			i++
		case end:
			f.at = i + 1
			return f.b[start:i], nil
		}
	}
	return nil, fmt.Errorf("byte %d: %c is not closed", f.at, open)
}
