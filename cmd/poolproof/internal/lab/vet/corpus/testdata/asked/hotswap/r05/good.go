// Right: Map
package r05

import (
	"errors"
	"github.com/poolproof/poolproof/hotswap"
	"io"
)

type Config struct{ tls *TLS }
type TLS struct{ cert []byte }

func Cert(c *hotswap.Container[Config], w io.Writer) error {
	ref := c.Acquire()
	part := hotswap.Map(&ref, func(x *Config) *TLS { return x.tls })
	defer part.Release()
	if !part.Ok() {
		return errors.New("no config")
	}
	_, err := w.Write(part.Value().cert)
	return err
}
