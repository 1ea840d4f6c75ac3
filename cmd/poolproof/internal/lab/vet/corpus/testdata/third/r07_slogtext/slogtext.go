// Package slogtext is a handler of log/slog that writes one short line for each record.
package slogtext

import (
	"context"
	"io"
	"log/slog"
	"strconv"
	"sync"
	"time"
)

var lines = sync.Pool{New: func() any {
	b := make([]byte, 0, 512)
	return &b
}}

// Handler writes records to one writer.
type Handler struct {
	mu    *sync.Mutex
	w     io.Writer
	level slog.Level
	attrs []slog.Attr
}

// New returns a Handler.
func New(w io.Writer, level slog.Level) *Handler {
	return &Handler{mu: new(sync.Mutex), w: w, level: level}
}

func (h *Handler) Enabled(_ context.Context, l slog.Level) bool { return l >= h.level }

func (h *Handler) WithGroup(string) slog.Handler { return h }

func (h *Handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	c := *h
	c.attrs = append(c.attrs[:len(c.attrs):len(c.attrs)], attrs...)
	return &c
}

func (h *Handler) Handle(_ context.Context, r slog.Record) error {
	p := lines.Get().(*[]byte)
	line := (*p)[:0]
	defer func() {
		if cap(line) <= 16<<10 {
			*p = line
		}
		lines.Put(p)
	}()
	line = r.Time.AppendFormat(line, time.TimeOnly)
	line = append(line, ' ')
	line = append(line, r.Level.String()...)
	line = append(line, ' ')
	line = append(line, r.Message...)
	for _, a := range h.attrs {
		line = appendAttr(line, a)
	}
	r.Attrs(func(a slog.Attr) bool {
		line = appendAttr(line, a)
		return true
	})
	line = append(line, '\n')

	h.mu.Lock()
	defer h.mu.Unlock()
	_, err := h.w.Write(line)
	return err
}

func appendAttr(dst []byte, a slog.Attr) []byte {
	dst = append(dst, ' ')
	dst = append(dst, a.Key...)
	dst = append(dst, '=')
	return strconv.AppendQuote(dst, a.Value.String())
}
