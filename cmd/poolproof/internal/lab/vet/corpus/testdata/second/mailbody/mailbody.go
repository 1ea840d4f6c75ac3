// Package mailbody renders mails.
package mailbody

import (
	"bytes"
	"sync"
	"text/template"
)

var pages = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Render returns the text of a mail.
func Render(t *template.Template, data any) ([]byte, error) {
	buf := pages.Get().(*bytes.Buffer)
	defer func() {
		if buf.Cap() <= 1<<16 {
			buf.Reset()
			pages.Put(buf)
		}
	}()
	if err := t.Execute(buf, data); err != nil {
		return nil, err
	}
	out := bytes.TrimSpace(buf.Bytes())
	return bytes.Clone(out), nil
}
