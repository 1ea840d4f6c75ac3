// Package pagerender renders templates.
package pagerender

import (
	"bytes"
	"fmt"
	"html/template"
	"strings"
	"sync"
)

var pages = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Render executes the template with this name.
func Render(t *template.Template, name string, data any) ([]byte, error) {
	buf := pages.Get().(*bytes.Buffer)
	defer func() {
		buf.Reset()
		pages.Put(buf)
	}()
	if err := t.ExecuteTemplate(buf, name, data); err != nil {
		return nil, fmt.Errorf("render %s: %w", name, err)
	}
	return bytes.TrimSpace(buf.Bytes()), nil // want "PV003"
}

// RenderString is Render for a string.
func RenderString(t *template.Template, name string, data any) (string, error) {
	buf := pages.Get().(*bytes.Buffer)
	defer func() {
		buf.Reset()
		pages.Put(buf)
	}()
	if err := t.ExecuteTemplate(buf, name, data); err != nil {
		return "", fmt.Errorf("render %s: %w", name, err)
	}
	return strings.TrimSpace(buf.String()), nil
}
