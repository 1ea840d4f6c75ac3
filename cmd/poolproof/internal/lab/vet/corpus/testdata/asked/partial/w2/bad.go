// Wrong: some fields are set after the get, others not
package w2

import (
	"fmt"
	"io"
	"sync"
	"time"
)

type Span struct {
	Name  string
	Start time.Time
	Attrs map[string]string
	Err   error
}

var spans = sync.Pool{New: func() any { return new(Span) }}

func start(name string) *Span {
	s := spans.Get().(*Span)
	s.Name = name // want "PV011" Attrs and Err keep old values
	s.Start = time.Now()
	return s
}

func (s *Span) Fail(err error) { s.Err = err }

func (s *Span) Attr(k, v string) {
	if s.Attrs == nil {
		s.Attrs = map[string]string{}
	}
	s.Attrs[k] = v
}

func (s *Span) End(w io.Writer) {
	fmt.Fprintln(w, s.Name, time.Since(s.Start), s.Attrs, s.Err)
	spans.Put(s)
}

func Do(w io.Writer, f func() error) {
	s := start("do")
	if err := f(); err != nil {
		s.Fail(err)
	}
	s.Attr("k", "v")
	s.End(w)
}
