// Package failover encodes for the first sink that takes it.
package failover

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func encode(v any) (*bytes.Buffer, error) {
	buf := bufs.Get().(*bytes.Buffer)
	buf.Reset()
	if err := json.NewEncoder(buf).Encode(v); err != nil {
		bufs.Put(buf)
		return nil, err
	}
	return buf, nil
}

// Send sends v to the first sink that takes it.
func Send(v any, sinks ...io.Writer) error {
	buf, err := encode(v)
	if err != nil {
		return err
	}
	defer bufs.Put(buf)
	var errs []error
	for _, s := range sinks {
		if _, err := s.Write(buf.Bytes()); err != nil {
			errs = append(errs, err)
			continue
		}
		return nil
	}
	return errors.Join(errs...)
}
