package mdnsreceive

import "testing"

// A batch has a buffer for each packet. One packet a call would always come in
// the first.
func TestABatchReceivesManyPacketsInOneCall(t *testing.T) {
	arms := []arm{{name: "readbatch", open: opens(NewReadBatch)}}
	for _, a := range append(arms, systemArms...) {
		t.Run(a.name, func(t *testing.T) {
			c := listen(t)
			r, err := a.open(c)
			if err != nil {
				t.Fatal(err)
			}
			buffers := map[*byte]bool{}
			receive(t, c, r, responses(t, 145, 0, batch), func(p Packet) { buffers[&p.Data[0]] = true })
			if len(buffers) < batch/2 {
				t.Errorf("%d packets came in %d buffers", batch, len(buffers))
			}
		})
	}
}
