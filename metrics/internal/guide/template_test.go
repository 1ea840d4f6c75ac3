package guide

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/poolproof/poolproof/pool"
	"github.com/poolproof/poolproof/pooltest"
)

var pages = pool.New(pool.Options[bytes.Buffer]{
	Name:          "pages",               // listed by expvar, Prometheus, OpenTelemetry
	Reset:         (*bytes.Buffer).Reset, // the next owner finds it empty
	Size:          (*bytes.Buffer).Cap,
	Used:          (*bytes.Buffer).Len,
	DropUnderused: true, // one large page does not stay for ever
})

func writePage(w io.Writer, title string) error {
	b := pages.Get()
	defer pages.Put(b)
	fmt.Fprintf(b, "<title>%s</title>", title)
	_, err := w.Write(b.Bytes()) // an io.Writer does not keep them: nothing of b is in use after Put
	return err
}

func TestWritePage(t *testing.T) {
	pooltest.Check(t)
	var got bytes.Buffer
	if err := writePage(&got, "pools"); err != nil || got.String() != "<title>pools</title>" {
		t.Errorf("got %q, %v", &got, err)
	}
}
