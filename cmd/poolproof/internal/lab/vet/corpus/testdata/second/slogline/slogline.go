// Package slogline is a handler of log/slog that writes short lines.
package slogline

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"sync"
	"time"
)

var bufs = sync.Pool{New: func() any { b := make([]byte, 0, 256); return &b }}

// Handler writes lines.
type Handler struct {
	mu     *sync.Mutex
	w      io.Writer
	prefix []byte
}

// New returns a handler.
func New(w io.Writer) *Handler { return &Handler{mu: new(sync.Mutex), w: w} }

// Enabled is always true.
func (h *Handler) Enabled(context.Context, slog.Level) bool { return true }

// Handle writes one line.
func (h *Handler) Handle(_ context.Context, r slog.Record) error {
	bp := bufs.Get().(*[]byte)
	b := append((*bp)[:0], h.prefix...)
	b = r.Time.AppendFormat(b, time.RFC3339)
	b = append(b, ' ')
	b = append(b, r.Message...)
	r.Attrs(func(a slog.Attr) bool {
		b = append(b, ' ')
		b = append(b, a.Key...)
		b = append(b, '=')
		b = append(b, a.Value.String()...)
		return true
	})
	b = append(b, '\n')
	h.mu.Lock()
	_, err := h.w.Write(b)
	h.mu.Unlock()
	if cap(b) <= 16<<10 {
		*bp = b
		bufs.Put(bp)
	}
	return err
}

// WithAttrs returns a handler that begins lines with attrs.
func (h *Handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	bp := bufs.Get().(*[]byte)
	defer bufs.Put(bp)
	b := append((*bp)[:0], h.prefix...)
	for _, a := range attrs {
		b = append(append(append(b, a.Key...), '='), a.Value.String()...)
		b = append(b, ' ')
	}
	*bp = b
	return &Handler{mu: h.mu, w: h.w, prefix: bytes.Clone(b)}
}

// WithGroup ignores groups.
func (h *Handler) WithGroup(string) slog.Handler { return h }
