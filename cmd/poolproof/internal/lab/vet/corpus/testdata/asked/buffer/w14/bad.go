// Wrong: the body of a request under a deferred Release
package w14

import (
	"bytes"
	"context"
	"fmt"
	"github.com/poolproof/poolproof/buffer"
	"net/http"
)

var buffers = buffer.New(buffer.Options{})

func Post(ctx context.Context, url string, v any) error {
	b := buffers.Append()
	defer b.Release() // want "PV004" the transport may still read the body
	fmt.Fprint(b, v)
	req, err := http.NewRequestWithContext(ctx, "POST", url, bytes.NewReader(b.Bytes()))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
