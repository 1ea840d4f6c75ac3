// Package withbuf writes mails, each of a head and a body, with buffers that are lent to callbacks.
package withbuf

import (
	"bytes"
	"fmt"
	"io"
	"net/mail"
	"strings"
	"sync"
	"text/template"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// with lends a buffer to f, which must not keep it.
func with(f func(b *bytes.Buffer) error) error {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	defer bufs.Put(b)
	return f(b)
}

// Mailer sends mails by templates.
type Mailer struct {
	From mail.Address
	T    *template.Template
	W    io.Writer
}

// Send writes a mail to each address, and returns the subjects.
func (m *Mailer) Send(name string, to []mail.Address, data any) ([]string, error) {
	var subjects []string
	for _, a := range to {
		err := with(func(b *bytes.Buffer) error {
			fmt.Fprintf(b, "From: %s\r\nTo: %s\r\n", &m.From, &a)
			return with(func(body *bytes.Buffer) error {
				if err := m.T.ExecuteTemplate(body, name, data); err != nil {
					return err
				}
				subject, err := body.ReadString('\n')
				if err != nil {
					return fmt.Errorf("template %s: no subject", name)
				}
				subjects = append(subjects, strings.TrimSpace(subject))
				fmt.Fprintf(b, "Subject: %s\r\n\r\n", strings.TrimSpace(subject))
				b.Write(body.Bytes())
				_, err = b.WriteTo(m.W)
				return err
			})
		})
		if err != nil {
			return subjects, fmt.Errorf("to %s: %w", a.Address, err)
		}
	}
	return subjects, nil
}
