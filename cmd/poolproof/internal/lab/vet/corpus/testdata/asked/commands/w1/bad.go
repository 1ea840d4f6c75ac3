// Wrong: Start without Wait
package w1

import (
	"bytes"
	"log"
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

func Launch(name string) error {
	b := getBuf()
	defer putBuf(b)
	cmd := exec.Command(name)
	cmd.Stdout = b // want "PV004" the started command writes to b after the put
	if err := cmd.Start(); err != nil {
		return err
	}
	log.Printf("started %d", cmd.Process.Pid)
	return nil
}
