package flow

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/poolproof/poolproof/buffer"
)

// MaxToken is the length in bytes of the longest line or token that [FromLines]
// and [FromReader] read. A longer one ends the stream with [bufio.ErrTooLong].
const MaxToken = 64 << 20

// chunkSize is how much is read at a time.
const chunkSize = 64 << 10

var chunks = buffer.New(buffer.Options{Name: "flow.reader"})

// FromLines returns the stream of the lines of r, without their ends ("\n" or
// "\r\n"). It can be run once. The lines of up to 64 KiB share memory: keeping one
// keeps them all, and [strings.Clone] does not. An error of r ends the stream,
// after the lines before it. The stream does not end while r blocks in a Read:
// where that may happen, close the reader when the context ends.
func FromLines(r io.Reader) Stream[string] {
	need("FromLines", "r", r == nil)
	guard := new(once)
	return Stream[string]{node: newNode("lines", nil).with("of %T", r), run: func(run *run, down func(*batch[string]) error) error {
		if err := guard.begin("FromLines"); err != nil {
			return err
		}
		defer guard.end()
		c := newChunk(r)
		defer c.close()
		o := newOut(run, down)
		for {
			if err := run.ended(); err != nil {
				return err
			}
			if err := c.fill(); err != nil {
				return err
			}
			if err := c.lines(o); err != nil {
				return err
			}
			// Before the next read, which may block.
			if err := o.send(); err != nil {
				return err
			}
			if c.err != nil {
				return c.failure()
			}
		}
	}}
}

// lines sends the lines that are complete.
func (c *chunk) lines(o *out[string]) error {
	whole := len(c.rest())
	if c.err == nil {
		// The end of a line is in what was read last: what was left before has none.
		last := bytes.LastIndexByte(c.b.Bytes()[c.fresh:c.end], '\n')
		if last < 0 {
			return nil
		}
		whole = c.fresh + last + 1 - c.start
	}
	text := string(c.rest()[:whole])
	c.start += whole
	for len(text) > 0 {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		if len(line) > MaxToken {
			return tooLong(len(line))
		}
		if n := len(line); n > 0 && line[n-1] == '\r' {
			line = line[:n-1]
		}
		if err := o.add(line); err != nil {
			return err
		}
	}
	return nil
}

// FromReader returns the stream of the tokens that split finds in r, as
// [bufio.Scanner] does. It can be run once. Each token is a copy, the caller's to keep
// and to change; tokens that were read together share one allocation of up to 64 KiB, so
// keeping one keeps them all. An error of r or split ends the stream, after the tokens
// before it. The stream does not end while r blocks in a Read.
//
// [FromReaderLent] does not copy, [FromLines] makes strings.
func FromReader(r io.Reader, split bufio.SplitFunc) Stream[[]byte] {
	return fromReader("FromReader", r, split, false)
}

// fromReader is FromReader, and if lent FromReaderLent.
func fromReader(name string, r io.Reader, split bufio.SplitFunc, lent bool) Stream[[]byte] {
	need(name, "r", r == nil)
	need(name, "split", split == nil)
	guard := new(once)
	kind, own := "tokens", ownBytes
	if lent {
		kind = "lent tokens"
	} else {
		own = nil
	}
	return Stream[[]byte]{lent: lent, own: own, node: newNode(kind, nil).with("of %T", r).of(split), run: func(run *run, down func(*batch[[]byte]) error) error {
		if err := guard.begin(name); err != nil {
			return err
		}
		defer guard.end()
		c := newChunk(r)
		defer c.close()
		o := newOut(run, down)
		o.moves = !lent // the slices could, but what they point to stays
		for {
			if err := run.ended(); err != nil {
				return err
			}
			if err := c.fill(); err != nil {
				return err
			}
			for {
				more, err := c.tokens(split, o)
				if len(o.v) > 0 {
					if !lent {
						ownBytes(o.v)
					}
					if err := o.send(); err != nil {
						return err
					}
				}
				if err == bufio.ErrFinalToken {
					return nil
				}
				if err != nil {
					return err
				}
				if !more {
					break
				}
			}
			if c.err != nil {
				return c.failure()
			}
		}
	}}
}

// tokens appends the tokens of c to o until o is full, and then more is true, or
// c has no whole one left.
func (c *chunk) tokens(split bufio.SplitFunc, o *out[[]byte]) (more bool, err error) {
	defer recovered(&err)
	o.room(o.size)
	for idle := 0; len(c.rest()) > 0 || c.err != nil; {
		advance, token, err := split(c.rest(), c.err != nil)
		if err != nil {
			if err == bufio.ErrFinalToken && token != nil {
				o.v = append(o.v, token)
			}
			return false, err
		}
		if advance < 0 || advance > len(c.rest()) {
			return false, fmt.Errorf("flow: FromReader: split advances by %d in %d bytes", advance, len(c.rest()))
		}
		c.start += advance
		if token == nil && advance == 0 {
			return false, nil
		}
		if idle++; advance > 0 {
			idle = 0
		} else if idle > 100 {
			return false, errors.New("flow: FromReader: split returned 100 tokens without advancing")
		}
		if len(token) > MaxToken {
			return false, tooLong(len(token))
		}
		if token != nil {
			o.v = append(o.v, token)
			if len(o.v) == o.size {
				return true, nil
			}
		}
	}
	return false, nil
}

// ownBytes copies tokens to memory of their own.
func ownBytes(tokens [][]byte) {
	total := 0
	for _, t := range tokens {
		total += len(t)
	}
	all := make([]byte, 0, total)
	for i, t := range tokens {
		from := len(all)
		all = append(all, t...)
		tokens[i] = all[from:len(all):len(all)]
	}
}

// chunk is the part of a reader's text that was read and not used.
type chunk struct {
	r          io.Reader
	b          *buffer.Buffer
	start, end int   // of the part, in b
	fresh      int   // where what was read last begins
	err        error // of r, or io.EOF: nothing follows
}

func newChunk(r io.Reader) *chunk { return &chunk{r: r, b: chunks.Get(chunkSize)} }

func (c *chunk) rest() []byte { return c.b.Bytes()[c.start:c.end] }

func (c *chunk) close() {
	c.b.Release()
	c.b = nil
}

// failure returns the error of the reader; nil if it just ended.
func (c *chunk) failure() error {
	if c.err == io.EOF {
		return nil
	}
	return c.err
}

// fill reads more, after what is there, which moves: slices of it are invalid
// afterwards. It returns an error if there can be no more.
func (c *chunk) fill() error {
	if err := c.makeRoom(); err != nil {
		return err
	}
	for range 100 {
		n, err := c.read(c.b.Bytes()[c.end:])
		if n < 0 || n > c.b.Len()-c.end {
			return fmt.Errorf("flow: the reader %T returned %d for a buffer of %d bytes", c.r, n, c.b.Len()-c.end)
		}
		c.fresh = c.end
		c.end += n
		c.err = err
		if n > 0 || err != nil {
			return nil
		}
	}
	return io.ErrNoProgress
}

// makeRoom moves what is there to the start of the buffer, or of a larger one. In
// the checked build each fill has memory of its own.
func (c *chunk) makeRoom() error {
	rest := c.rest()
	if !checked && len(rest) <= c.b.Len()/2 {
		if c.start > 0 {
			c.end = copy(c.b.Bytes(), rest)
			c.start = 0
		}
		return nil
	}
	if len(rest) > MaxToken {
		return tooLong(len(rest))
	}
	larger := chunks.Get(max(chunkSize, min(4*len(rest), 2*MaxToken+chunkSize)))
	c.end = copy(larger.Bytes(), rest)
	c.start = 0
	c.b.Release()
	c.b = larger
	return nil
}

func tooLong(n int) error {
	return fmt.Errorf("flow: no token ends in %d bytes: %w", n, bufio.ErrTooLong)
}

// read calls Read. A panic comes back as an error.
func (c *chunk) read(p []byte) (n int, err error) {
	defer recovered(&err)
	return c.r.Read(p)
}
