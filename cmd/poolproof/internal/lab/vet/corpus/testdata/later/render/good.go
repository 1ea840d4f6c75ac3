// Package render is right.
package render

import (
	"bytes"
	"io"
	"maps"
	"sync"
	"text/template"
)

type state struct {
	out  bytes.Buffer
	vars map[string]any
	used bool
}

var states = sync.Pool{New: func() any { return &state{vars: map[string]any{}} }}

func with(f func(*state) error) error {
	s := states.Get().(*state)
	s.used = true
	err := f(s)
	s.out.Reset()
	clear(s.vars)
	s.used = false
	states.Put(s)
	return err
}

func Render(w io.Writer, t *template.Template, vars map[string]any) error {
	return with(func(s *state) error {
		maps.Copy(s.vars, vars)
		if err := t.Execute(&s.out, s.vars); err != nil {
			return err
		}
		_, err := s.out.WriteTo(w)
		return err
	})
}

func Size(t *template.Template) (n int, err error) {
	err = with(func(s *state) error {
		err := t.Execute(&s.out, s.vars)
		n = s.out.Len()
		return err
	})
	return n, err
}
