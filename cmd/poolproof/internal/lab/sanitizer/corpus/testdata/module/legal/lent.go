package legal

import "sync"

// Lexer reads its caller's text, and truncates the field before it is put: it
// leaves an empty window of that text there, which the next reset replaces.
type Lexer struct {
	text  []byte
	words [][]byte
}

var lexers = sync.Pool{New: func() any { return new(Lexer) }}

func (l *Lexer) reset(text []byte) { l.text = text }

func (l *Lexer) release() {
	l.text, l.words = l.text[:0], l.words[:0]
	lexers.Put(l)
}

// Words counts them.
func Words(text []byte) int {
	l := lexers.Get().(*Lexer)
	l.reset(text)
	start := 0
	for i, c := range l.text {
		if c == ' ' {
			l.words = append(l.words, l.text[start:i])
			start = i + 1
		}
	}
	n := len(append(l.words, l.text[start:]))
	l.release()
	return n
}

// Request carries its caller's entries to a worker.
type Request struct {
	entries []*Entry
	done    chan bool
}

// Entry is one of them.
type Entry struct {
	key     string
	written bool
}

var requests = sync.Pool{New: func() any { return &Request{done: make(chan bool, 1)} }}

// Send gives entries to a worker and waits for it. The Get truncates what the
// last request has left in the field.
func Send(work chan<- *Request, entries []*Entry) {
	r := requests.Get().(*Request)
	r.entries = r.entries[:0]
	r.entries = entries
	work <- r
	<-r.done
	requests.Put(r)
}

// Serve is the worker.
func Serve(work <-chan *Request) {
	for r := range work {
		for _, e := range r.entries {
			e.written = true
		}
		r.done <- true
	}
}
