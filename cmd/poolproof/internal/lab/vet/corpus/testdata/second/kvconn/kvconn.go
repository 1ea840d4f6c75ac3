// Package kvconn serves a small text protocol.
package kvconn

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"sync"
)

type request struct {
	cmd  string
	args []string
}

var requests = sync.Pool{New: func() any { return new(request) }}

// Store is where the values are.
type Store interface {
	Get(k string) (string, bool)
	Set(k, v string)
}

// Serve answers the requests of one connection.
func Serve(c net.Conn, st Store) error {
	sc := bufio.NewScanner(c)
	for sc.Scan() {
		f := strings.Fields(sc.Text())
		if len(f) == 0 {
			continue
		}
		req := requests.Get().(*request)
		req.cmd, req.args = f[0], append(req.args[:0], f[1:]...)
		switch req.cmd {
		case "GET":
			if len(req.args) != 1 {
				fmt.Fprintln(c, "ERR one key")
				continue // want "PV005"
			}
			v, _ := st.Get(req.args[0])
			fmt.Fprintln(c, v)
		case "SET":
			if len(req.args) == 2 {
				st.Set(req.args[0], req.args[1])
			}
		case "QUIT":
			requests.Put(req)
			return nil
		}
		requests.Put(req)
	}
	return sc.Err()
}
