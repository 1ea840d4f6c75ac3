// Package codecswitch encodes values in several ways.
package codecswitch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Encode writes v to w.
func Encode(w io.Writer, v any) error {
	buf := bufs.Get().(*bytes.Buffer)
	buf.Reset()
	var err error
	switch x := v.(type) {
	case string:
		buf.WriteString(x)
	case fmt.Stringer:
		buf.WriteString(x.String())
	case []int:
		for _, n := range x {
			buf.WriteString(strconv.Itoa(n))
			buf.WriteByte('\n')
		}
	case error:
		bufs.Put(buf)
		return x
	default:
		err = json.NewEncoder(buf).Encode(v)
	}
	if err == nil {
		_, err = buf.WriteTo(w)
	}
	bufs.Put(buf)
	return err
}
