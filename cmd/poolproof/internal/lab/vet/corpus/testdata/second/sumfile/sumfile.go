// Package sumfile computes checksums of files.
package sumfile

import (
	"hash/crc32"
	"io"
	"os"
	"sync"
)

var blocks = sync.Pool{New: func() any { return make([]byte, 128<<10) }}

// Sum returns the CRC of the file.
func Sum(name string) (uint32, error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	block := blocks.Get().([]byte)
	defer blocks.Put(block) // want "PV008"
	h := crc32.NewIEEE()
	for {
		n, err := f.Read(block)
		h.Write(block[:n])
		if err == io.EOF {
			return h.Sum32(), nil
		}
		if err != nil {
			return 0, err
		}
	}
}
