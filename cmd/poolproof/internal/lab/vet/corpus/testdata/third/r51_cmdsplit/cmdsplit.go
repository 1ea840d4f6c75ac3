// Package cmdsplit runs lines of a console, which are split into words in pooled slices.
package cmdsplit

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
)

var words = sync.Pool{New: func() any {
	s := make([]string, 0, 16)
	return &s
}}

var errQuote = errors.New("cmdsplit: a quote is not closed")

func split(dst []string, line string) ([]string, error) {
	for {
		line = strings.TrimLeft(line, " \t")
		if line == "" {
			return dst, nil
		}
		if line[0] == '"' {
			word, rest, ok := strings.Cut(line[1:], `"`)
			if !ok {
				return dst, errQuote
			}
			dst, line = append(dst, word), rest
			continue
		}
		i := strings.IndexAny(line, " \t")
		if i < 0 {
			i = len(line)
		}
		dst, line = append(dst, line[:i]), line[i:]
	}
}

// Console has commands by name.
type Console struct {
	Out      io.Writer
	commands map[string]func(out io.Writer, args []string) error
}

// Handle adds a command. f must not keep args.
func (c *Console) Handle(name string, f func(out io.Writer, args []string) error) {
	if c.commands == nil {
		c.commands = make(map[string]func(io.Writer, []string) error)
	}
	c.commands[name] = f
}

// Run runs one line.
func (c *Console) Run(line string) (err error) {
	p := words.Get().(*[]string)
	defer func() {
		clear(*p)
		*p = (*p)[:0]
		words.Put(p)
	}()
	if *p, err = split(*p, line); err != nil {
		return err
	}
	if len(*p) == 0 {
		return nil
	}
	name := (*p)[0]
	f, ok := c.commands[name]
	if !ok {
		return fmt.Errorf("no command %q", name)
	}
	if err := f(c.Out, (*p)[1:]); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
