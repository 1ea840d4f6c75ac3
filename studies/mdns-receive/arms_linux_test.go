package mdnsreceive

import (
	"bytes"
	"testing"
)

var systemArms = []arm{
	{name: "recvmmsg", lends: true, slots: batch, open: func(c *Conn) (Receiver, error) { return NewRecvmmsg(c) }},
}

// The kernel overwrites the lengths of the address and of the control bytes
// with what it has written; the next call takes them for the room that there
// is.
func TestRecvmmsgTellsTheKernelItsRoomAnew(t *testing.T) {
	c := listen(t)
	r, err := NewRecvmmsg(c)
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.headers {
		r.headers[i].Hdr.Namelen = 1
		r.headers[i].Hdr.SetControllen(1)
	}
	packets := responses(t, 145, 0, batch)
	next := 0
	receive(t, c, r, packets, func(p Packet) {
		if !bytes.Equal(p.Data, packets[next]) || p.Src != c.Source() || p.IfIndex <= 0 {
			t.Errorf("packet %d of %d bytes from %v on interface %d is not what was sent", next, len(p.Data), p.Src, p.IfIndex)
		}
		next++
	})
}
