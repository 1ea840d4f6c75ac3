// Wrong: the function leaves while a goroutine waits for the command
package w2

import (
	"bytes"
	"context"
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

func Version(ctx context.Context, name string) (string, error) {
	b := getBuf()
	defer putBuf(b)
	cmd := exec.Command(name, "--version")
	cmd.Stdout = b // want "PV004" if ctx ends first, the command still writes to b
	if err := cmd.Start(); err != nil {
		return "", err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		return b.String(), err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
