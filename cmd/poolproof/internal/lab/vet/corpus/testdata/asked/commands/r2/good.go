// Right: Start and Wait
package r2

import (
	"bytes"
	"context"
	"fmt"
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
	out, errb := getBuf(), getBuf()
	defer putBuf(out)
	defer putBuf(errb)
	cmd := exec.CommandContext(ctx, name, "--version")
	cmd.Stdout, cmd.Stderr = out, errb
	if err := cmd.Start(); err != nil {
		return "", err
	}
	if err := cmd.Wait(); err != nil {
		return "", fmt.Errorf("%s: %s: %w", name, errb.String(), err)
	}
	return out.String(), nil
}
