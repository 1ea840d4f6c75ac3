package transport

// corrupt leaves lengths in the headers as a kernel might.
func corrupt(s *socket) {
	for i := range s.batch.headers {
		s.batch.headers[i].Hdr.Namelen = 1
		s.batch.headers[i].Hdr.SetControllen(1)
	}
}
