// Package xmlfeed writes the news of a site as an Atom feed.
package xmlfeed

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"iter"
	"net/http"
	"sync"
	"time"
)

var writers = sync.Pool{New: func() any { return bufio.NewWriterSize(io.Discard, 4096) }}

// Item is one entry.
type Item struct {
	XMLName xml.Name  `xml:"entry"`
	ID      string    `xml:"id"`
	Title   string    `xml:"title"`
	Updated time.Time `xml:"updated"`
}

// Feed serves items, the newest first.
type Feed struct {
	Title string
	Items func() iter.Seq2[*Item, error]
}

func (f *Feed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/atom+xml")
	if err := f.Write(w); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

// Write writes the feed.
func (f *Feed) Write(w io.Writer) error {
	bw := writers.Get().(*bufio.Writer)
	bw.Reset(w)
	err := f.body(bw)
	if err == nil {
		err = bw.Flush()
	}
	bw.Reset(io.Discard)
	writers.Put(bw)
	return err
}

func (f *Feed) body(w *bufio.Writer) error {
	w.WriteString(xml.Header + `<feed xmlns="http://www.w3.org/2005/Atom"><title>`)
	if err := xml.EscapeText(w, []byte(f.Title)); err != nil {
		return err
	}
	w.WriteString("</title>\n")
	enc := xml.NewEncoder(w)
	n := 0
	for item, err := range f.Items() {
		if err != nil {
			return fmt.Errorf("item %d: %w", n, err)
		}
		if err := enc.Encode(item); err != nil {
			return err
		}
		if n++; n == 20 {
			break
		}
	}
	_, err := w.WriteString("\n</feed>\n")
	return err
}
