// Package eventstream sends server-sent events to browsers.
package eventstream

import (
	"bufio"
	"io"
	"net/http"
	"sync"
	"time"
)

var writers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, 2048) }}

// Event is one event.
type Event struct {
	Name, Data string
}

type stream struct {
	bw *bufio.Writer
	fl http.Flusher
}

func newStream(w http.ResponseWriter) *stream {
	bw := writers.Get().(*bufio.Writer)
	bw.Reset(w)
	fl, _ := w.(http.Flusher)
	return &stream{bw, fl}
}

func (s *stream) send(e Event) error {
	io.WriteString(s.bw, "event: "+e.Name+"\ndata: "+e.Data+"\n\n")
	if err := s.bw.Flush(); err != nil {
		return err
	}
	if s.fl != nil {
		s.fl.Flush()
	}
	return nil
}

func (s *stream) end() {
	s.bw.Reset(nil)
	writers.Put(s.bw)
}

// Serve sends what comes from events, and a ping in each quiet minute.
func Serve(w http.ResponseWriter, r *http.Request, events <-chan Event) {
	w.Header().Set("Content-Type", "text/event-stream")
	s := newStream(w)
	for {
		select {
		case e, ok := <-events:
			if !ok {
				s.end()
				s.send(Event{"end", "no more events"}) // want PV001
				return
			}
			if s.send(e) != nil {
				s.end()
				return
			}
		case <-time.After(time.Minute):
			if s.send(Event{"ping", ""}) != nil {
				s.end()
				return
			}
		case <-r.Context().Done():
			s.end()
			return
		}
	}
}
