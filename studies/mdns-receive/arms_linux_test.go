package mdnsreceive

var systemArms = []arm{
	{name: "recvmmsg", lends: true, slots: batch, open: func(c *Conn) (Receiver, error) { return NewRecvmmsg(c) }},
}
