package daily

import (
	"bytes"
	"compress/flate"
	"io"
	"sync"
)

// The caller's bytes are lent to a pooled parser, which forgets them before it goes back.

type parser struct {
	src   []byte
	at    int
	stack []byte
}

var parsers = sync.Pool{New: func() any { return new(parser) }}

func (p *parser) run(src []byte) (depth int, ok bool) {
	p.src, p.at, p.stack = src, 0, p.stack[:0]
	for ; p.at < len(p.src); p.at++ {
		switch c := p.src[p.at]; c {
		case '{', '[':
			p.stack = append(p.stack, c)
			depth = max(depth, len(p.stack))
		case '}', ']':
			if len(p.stack) == 0 {
				return depth, false
			}
			p.stack = p.stack[:len(p.stack)-1]
		}
	}
	return depth, len(p.stack) == 0
}

func Depth(src []byte) (int, bool) {
	p := parsers.Get().(*parser)
	defer func() {
		p.src = nil
		parsers.Put(p)
	}()
	return p.run(src)
}

func Keep(src []byte, limit int) []byte {
	if d, ok := Depth(src); !ok || d > limit {
		return nil
	}
	return src // fine "PV001" the parser had it on loan
}

// The caller's writer is lent to a pooled compressor.

type archive struct {
	fw    *flate.Writer
	under io.Writer
	n     int64
}

var archives = sync.Pool{New: func() any {
	fw, _ := flate.NewWriter(nil, flate.BestSpeed)
	return &archive{fw: fw}
}}

func newArchive(w io.Writer) *archive {
	a := archives.Get().(*archive)
	a.under, a.n = w, 0
	a.fw.Reset(w)
	return a
}

func (a *archive) Write(p []byte) (int, error) {
	n, err := a.fw.Write(p)
	a.n += int64(n)
	return n, err
}

func (a *archive) finish() (int64, error) {
	err := a.fw.Close()
	n := a.n
	a.under = nil
	a.fw.Reset(nil)
	archives.Put(a)
	return n, err
}

func Pack(w io.WriteCloser, parts ...[]byte) (n int64, err error) {
	a := newArchive(w)
	for _, p := range parts {
		if _, err = a.Write(p); err != nil {
			break
		}
	}
	n, ferr := a.finish()
	if err == nil {
		err = ferr
	}
	if cerr := w.Close(); err == nil { // fine "PV001" the writer is the caller's
		err = cerr
	}
	return n, err // fine "PV003" a count
}

// The words that a pooled splitter finds are parts of the caller's line, not of the splitter.

type splitter struct {
	rest  []byte
	marks [256]bool
}

var splitters = sync.Pool{New: func() any { return new(splitter) }}

func (s *splitter) next() (word []byte, ok bool) {
	i := bytes.IndexFunc(s.rest, func(r rune) bool { return r < 256 && s.marks[r] })
	if i < 0 {
		word, s.rest = s.rest, nil
		return word, len(word) > 0
	}
	word, s.rest = s.rest[:i], s.rest[i+1:]
	return word, true
}

func Words(line []byte, separators string) (words [][]byte) {
	s := splitters.Get().(*splitter)
	s.rest = line
	for i := range len(separators) {
		s.marks[separators[i]] = true
	}
	for {
		w, ok := s.next()
		if !ok {
			break
		}
		words = append(words, w)
	}
	*s = splitter{}
	splitters.Put(s)
	return words // fine "PV001" memory of the line
}
