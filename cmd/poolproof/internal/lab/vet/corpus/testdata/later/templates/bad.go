// Package templates renders mails.
package templates

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"text/template"
	"unsafe"
)

type page struct {
	body  bytes.Buffer
	title string
	parts []string
}

var pages sync.Pool

func newPage() *page {
	if v := pages.Get(); v != nil {
		return v.(*page)
	}
	return new(page)
}

func drop(p *page) {
	p.body.Reset()
	p.title = ""
	p.parts = p.parts[:0]
	pages.Put(p)
}

func Render(t *template.Template, data any) (string, error) {
	p := newPage()
	defer drop(p)
	if err := t.Execute(&p.body, data); err != nil {
		return "", err
	}
	b := p.body.Bytes()
	return unsafe.String(&b[0], len(b)), nil // want "PV003"
}

type Mail struct {
	Subject string
	Parts   []string
}

func Compose(title string, parts ...string) *Mail {
	p := newPage()
	p.title = title
	for _, s := range parts {
		p.parts = append(p.parts, strings.TrimSpace(s))
	}
	m := &Mail{Subject: p.title, Parts: p.parts}
	drop(p)
	return m // want "PV001|PV003|PV004"
}

func Print(ts []*template.Template, data any) error {
	p := newPage()
	for _, t := range ts {
		p.body.Reset()
		if err := t.Execute(&p.body, data); err != nil {
			drop(p)
			fmt.Println("template", t.Name(), err)
		}
		fmt.Println(p.body.Len()) // want "PV001"
	}
	drop(p)
	return nil
}
