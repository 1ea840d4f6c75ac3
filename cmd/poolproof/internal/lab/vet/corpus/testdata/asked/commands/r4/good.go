// Right: a helper runs the command
package r4

import (
	"bytes"
	"fmt"
	"io"
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

type tool struct {
	name string
	log  io.Writer
}

func (t *tool) run(cmd *exec.Cmd) error {
	fmt.Fprintln(t.log, cmd.Args)
	return cmd.Run()
}

func (t *tool) Version() (string, error) {
	b := getBuf()
	cmd := exec.Command(t.name, "--version")
	cmd.Stdout = b
	err := t.run(cmd)
	s := b.String()
	putBuf(b)
	return s, err
}
