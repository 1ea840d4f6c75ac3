// Package command is right.
package command

import (
	"bytes"
	"errors"
	"io"
	"os/exec"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func Run(name string, args ...string) (string, error) {
	out := bufs.Get().(*bytes.Buffer)
	defer bufs.Put(out)
	out.Reset()
	cmd := exec.Command(name, args...)
	cmd.Stdout = out
	cmd.Stderr = out
	if err := cmd.Run(); err != nil {
		return "", errors.New(out.String())
	}
	return out.String(), nil
}

type Doc struct{ parts []string }

func Read(r io.Reader) (*Doc, error) {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	defer bufs.Put(b)
	if _, err := io.Copy(b, r); err != nil {
		return nil, err
	}
	d := new(Doc)
	for {
		s, err := b.ReadString('\n')
		if s != "" {
			d.parts = append(d.parts, s)
		}
		if err != nil {
			return d, nil
		}
	}
}
