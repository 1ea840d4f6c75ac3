// Wrong: Map: the part is used after the hold on it was released
package w12

import (
	"github.com/poolproof/poolproof/hotswap"
	"io"
)

type Config struct{ tls *TLS }
type TLS struct{ cert []byte }

func Cert(c *hotswap.Container[Config], w io.Writer) error {
	ref := c.Acquire()
	part := hotswap.Map(&ref, func(x *Config) *TLS { return x.tls })
	t := part.Value()
	part.Release()
	_, err := w.Write(t.cert) // want "PV001" t was released
	return err
}
