// Package where has the conditions of queries, and the language in which people write
// them.
package where

import (
	"fmt"
	"strings"
)

// Condition compares a column with a value. A null satisfies no condition.
type Condition struct {
	Column string
	Op     Op

	// Value is compared with the column: a string, []byte, bool, number, time.Time or
	// [arrowlog.Value]. A string is converted to the column's kind:
	// numbers as Go writes them, times in RFC 3339 or as nanoseconds since 1970, true
	// and false.
	//
	// [arrowlog.Value]: https://pkg.go.dev/github.com/poolproof/poolproof/systems/arrowlog#Value
	Value any
}

// Op is a comparison.
type Op uint8

// The comparisons.
const (
	Equal Op = iota
	NotEqual
	Less
	LessOrEqual
	Greater
	GreaterOrEqual
)

var opTexts = [...]string{"=", "!=", "<", "<=", ">", ">="}

// String returns the operator as it is written in a condition.
func (o Op) String() string {
	if int(o) < len(opTexts) {
		return opTexts[o]
	}
	return fmt.Sprintf("Op(%d)", o)
}

// Parse reads conditions such as
//
//	time_unix_nano >= 2026-11-23T10:00:00Z and service.name = 'check out'
//
// A column or value with spaces, quotes or operators stands in single or double
// quotes. An error says at which byte the text is wrong.
func Parse(text string) ([]Condition, error) {
	p := parser{text: text}
	var all []Condition
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

func (p *parser) condition() (c Condition, err error) {
	if c.Column, err = p.word(); err != nil {
		return c, err
	}
	p.space()
	rest := p.text[p.at:]
	switch { // the longer ones first
	case strings.HasPrefix(rest, "!="):
		c.Op = NotEqual
	case strings.HasPrefix(rest, "<="):
		c.Op = LessOrEqual
	case strings.HasPrefix(rest, ">="):
		c.Op = GreaterOrEqual
	case strings.HasPrefix(rest, "="):
		c.Op = Equal
	case strings.HasPrefix(rest, "<"):
		c.Op = Less
	case strings.HasPrefix(rest, ">"):
		c.Op = Greater
	default:
		return c, p.fail("want one of = != < <= > >= after %q", c.Column)
	}
	p.at += len(c.Op.String())
	c.Value, err = p.word()
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
	return fmt.Errorf("where: %q, byte %d: %s", p.text, p.at, fmt.Sprintf(format, args...))
}
