// Right: Stdin is a pooled buffer too, struct literal for the command
package r5

import (
	"bytes"
	"os/exec"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuf() *bytes.Buffer {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func putBuf(b *bytes.Buffer) { bufs.Put(b) }

func Filter(path, text string) (string, error) {
	in, out := getBuf(), getBuf()
	defer putBuf(in)
	defer putBuf(out)
	in.WriteString(text)
	cmd := &exec.Cmd{Path: path, Args: []string{path}, Stdin: in, Stdout: out}
	if err := cmd.Run(); err != nil {
		return "", err
	}
	return out.String(), nil
}
