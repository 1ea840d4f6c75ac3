// Right: a goroutine waits, and the function waits for it
package r3

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
	cmd.Stdout = b
	if err := cmd.Start(); err != nil {
		return "", err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		cmd.Process.Kill()
		<-done
		err = ctx.Err()
	}
	if err != nil {
		return "", err
	}
	return b.String(), nil
}
