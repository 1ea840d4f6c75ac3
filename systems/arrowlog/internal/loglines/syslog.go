package loglines

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/poolproof/poolproof/systems/arrowlog"
)

// AppendSyslog appends the row of a message in the syslog format of RFC 5424:
//
//	<165>1 2003-10-11T22:14:15.003Z host app 123 ID47 [origin@1 ip="192.0.2.1"] text
//
// Structured data becomes columns such as origin@1.ip. A field that is - is null. If it
// returns an error, no row was added.
func (r *Rows) AppendSyslog(line []byte) error {
	r.begin()
	f := fields{b: line}
	priority, err := f.between('<', '>')
	if err != nil {
		return fmt.Errorf("not syslog of RFC 5424: %w", err)
	}
	p, ok := digits(string(priority))
	if !ok || p > 191 || len(priority) > 3 {
		return fmt.Errorf("not syslog of RFC 5424: the priority is %q, want 0 to 191", priority)
	}
	if version, err := f.word(); err != nil || string(version) != "1" {
		return fmt.Errorf("not syslog of RFC 5424: the version is %q, want 1", version)
	}
	for _, v := range []struct {
		key   string
		value int
	}{{"facility", p / 8}, {"severity", p % 8}} {
		if err := r.add(r.child(&r.root, []byte(v.key)), arrowlog.Int64Value(int64(v.value)), nil); err != nil {
			return err
		}
	}
	for _, key := range []string{"time", "hostname", "app_name", "proc_id", "msg_id"} {
		word, err := f.word()
		if err != nil {
			return fmt.Errorf("not syslog of RFC 5424: %s: %w", key, err)
		}
		if err := r.field(key, word); err != nil {
			return err
		}
	}
	if f.left() == 0 {
		return errors.New("not syslog of RFC 5424: there is no structured data, want - at least")
	}
	if f.b[f.at] == '-' {
		f.at++
	} else if err := r.structured(&f); err != nil {
		return err
	}
	if f.at < len(f.b) && f.b[f.at] != ' ' {
		return fmt.Errorf("not syslog of RFC 5424: byte %d: want a space before the message", f.at)
	}
	if message := bytes.TrimPrefix(bytes.TrimPrefix(f.b[f.at:], []byte(" ")), []byte("\uFEFF")); len(message) > 0 {
		if err := r.add(r.child(&r.root, []byte("message")), text(message), nil); err != nil {
			return err
		}
	}
	return r.end()
}

// structured reads elements such as [id key="value" key="value"].
func (r *Rows) structured(f *fields) error {
	for f.at < len(f.b) && f.b[f.at] == '[' {
		f.at++
		start := f.at
		for f.at < len(f.b) && f.b[f.at] > ' ' && f.b[f.at] != ']' {
			f.at++
		}
		element := r.child(&r.root, f.b[start:f.at])
		if f.at == start {
			return fmt.Errorf("not syslog of RFC 5424: byte %d: an element without a name", start)
		}
		for f.left() > 0 && f.b[f.at] != ']' {
			start := f.at
			for f.at < len(f.b) && f.b[f.at] > ' ' && f.b[f.at] != '=' && f.b[f.at] != ']' {
				f.at++
			}
			key := f.b[start:f.at]
			if f.at == len(f.b) || f.b[f.at] != '=' || len(key) == 0 {
				return fmt.Errorf("not syslog of RFC 5424: byte %d: want key=\"value\"", f.at)
			}
			f.at++
			value, err := f.between('"', '"')
			if err != nil {
				return fmt.Errorf("not syslog of RFC 5424: %w", err)
			}
			if bytes.IndexByte(value, '\\') >= 0 {
				value = unescape(value)
			}
			if err := r.add(r.child(element, key), text(value), nil); err != nil {
				return err
			}
		}
		if f.at == len(f.b) {
			return fmt.Errorf("not syslog of RFC 5424: byte %d: [ is not closed", start)
		}
		f.at++
	}
	return nil
}

// unescape takes the backslash from before a quote, a backslash and a bracket.
func unescape(b []byte) []byte {
	var out []byte
	for i := 0; i < len(b); i++ {
		if b[i] == '\\' && i+1 < len(b) && bytes.IndexByte([]byte(`"\]`), b[i+1]) >= 0 {
			i++
		}
		out = append(out, b[i])
	}
	return out
}
