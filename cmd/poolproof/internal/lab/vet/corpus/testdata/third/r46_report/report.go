// Package report formats tables of usage for mails to customers.
package report

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"text/tabwriter"
)

type table struct {
	buf bytes.Buffer
	tw  tabwriter.Writer
}

const keep = 64 << 10

var tables = sync.Pool{New: func() any { return new(table) }}

func newTable() *table {
	t := tables.Get().(*table)
	t.buf.Reset()
	t.tw.Init(&t.buf, 0, 8, 2, ' ', tabwriter.AlignRight)
	return t
}

// done gives t back, unless it has grown too large.
func (t *table) done() {
	if t.buf.Cap() > keep {
		return
	}
	tables.Put(t)
}

// Usage is what a customer has used.
type Usage struct {
	Service string
	Units   int64
	Cents   int64
}

var errNothing = errors.New("report: nothing was used")

// Format returns the table of all.
func Format(customer string, all []Usage) (string, error) {
	if len(all) == 0 {
		return "", errNothing
	}
	t := newTable()
	defer t.done()
	fmt.Fprintf(&t.buf, "Usage of %s\n\n", customer)
	fmt.Fprintln(&t.tw, "service\tunits\tprice\t")
	var sum int64
	for _, u := range all {
		if u.Units < 0 {
			return "", fmt.Errorf("report: %d units of %s", u.Units, u.Service)
		}
		sum += u.Cents
		fmt.Fprintf(&t.tw, "%s\t%d\t%d.%02d\t\n", u.Service, u.Units, u.Cents/100, u.Cents%100)
	}
	fmt.Fprintf(&t.tw, "total\t\t%d.%02d\t\n", sum/100, sum%100)
	if err := t.tw.Flush(); err != nil {
		return "", err
	}
	return t.buf.String(), nil
}
