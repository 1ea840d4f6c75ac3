// Package connloop serves connections, each with one buffer for all its lines.
package connloop

import (
	"bufio"
	"errors"
	"net"
	"strconv"
	"sync"
)

type state struct {
	br  *bufio.Reader
	out []byte
}

var states = sync.Pool{New: func() any { return &state{br: bufio.NewReader(nil)} }}

// Serve answers each line with its length.
func Serve(l net.Listener) error {
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		go serve(c)
	}
}

func serve(c net.Conn) {
	st := states.Get().(*state)
	st.br.Reset(c)
	defer func() {
		c.Close()
		st.br.Reset(nil)
		states.Put(st)
	}()
	for {
		line, err := st.br.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil {
			return
		}
		st.out = strconv.AppendInt(st.out[:0], int64(len(line)), 10)
		st.out = append(st.out, '\n')
		if _, err := c.Write(st.out); err != nil {
			return
		}
	}
}
