// Package condition reads the conditions of a query of logs as people write them, for
// command lines and search fields: severity = ERROR and time_unix_nano >= 2026-11-23T10:00:00Z.
package condition

import (
	"fmt"
	"strings"

	"github.com/poolproof/poolproof/systems/arrowlog"
)

// Parse reads conditions such as
//
//	time_unix_nano >= 2026-11-23T10:00:00Z and service.name = 'check out'
//
// A column or value with spaces, quotes or operators stands in single or double
// quotes. An error says at which byte the text is wrong.
func Parse(text string) ([]arrowlog.Condition, error) {
	p := parser{text: text}
	var all []arrowlog.Condition
	for {
		c, err := p.condition()
		if err != nil {
			return nil, err
		}
		all = append(all, c)
		p.space()
		if p.at == len(p.text) {
			return all, nil
		}
		if word, _ := p.word(); !strings.EqualFold(word, "and") {
			return nil, p.fail("want and between two conditions, got %q", word)
		}
	}
}

type parser struct {
	text string
	at   int
}

func (p *parser) condition() (c arrowlog.Condition, err error) {
	if c.Column, err = p.word(); err != nil {
		return c, err
	}
	p.space()
	rest := p.text[p.at:]
	switch { // the longer ones first
	case strings.HasPrefix(rest, "!="):
		c.Op = arrowlog.NotEqual
	case strings.HasPrefix(rest, "<="):
		c.Op = arrowlog.LessOrEqual
	case strings.HasPrefix(rest, ">="):
		c.Op = arrowlog.GreaterOrEqual
	case strings.HasPrefix(rest, "="):
		c.Op = arrowlog.Equal
	case strings.HasPrefix(rest, "<"):
		c.Op = arrowlog.Less
	case strings.HasPrefix(rest, ">"):
		c.Op = arrowlog.Greater
	default:
		return c, p.fail("want one of = != < <= > >= after %q", c.Column)
	}
	p.at += len(c.Op.String())
	value, err := p.word()
	c.Value = arrowlog.StringValue(value)
	return c, err
}

// word returns a word or what stands in quotes.
func (p *parser) word() (string, error) {
	p.space()
	rest := p.text[p.at:]
	if rest == "" {
		return "", p.fail("the text ends where a column or a value is wanted")
	}
	if quote := rest[0]; quote == '\'' || quote == '"' {
		end := strings.IndexByte(rest[1:], quote)
		if end < 0 {
			return "", p.fail("the quote %c is not closed", quote)
		}
		p.at += end + 2
		return rest[1 : end+1], nil
	}
	end := strings.IndexAny(rest, " \t\n=!<>'\"")
	switch {
	case end == 0:
		return "", p.fail("want a column or a value, got %q", rest[:1])
	case end < 0:
		end = len(rest)
	}
	p.at += end
	return rest[:end], nil
}

func (p *parser) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

func (p *parser) fail(format string, args ...any) error {
	return fmt.Errorf("arrowlog: condition %q, byte %d: %s", p.text, p.at, fmt.Sprintf(format, args...))
}
