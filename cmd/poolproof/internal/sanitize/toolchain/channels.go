package toolchain

import "github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"

// runtimeChannels tells of what is done with a channel: the runtime's own code is not instrumented.
func runtimeChannels(s *overlay.Source) error {
	for _, name := range []string{"chansend", "chanrecv", "closechan"} {
		f := s.Func(name)
		if f == nil || s.Code(f.Type.Params.List[0]) != "c *hchan" {
			return s.Missing("function " + name + " of c *hchan")
		}
		s.Insert(f.Body.Lbrace+1, " poolproofChanUsed(c);")
	}
	return nil
}

// runtimeSelect is for the channels of a select with several cases.
func runtimeSelect(s *overlay.Source) error {
	f := s.Func("selectgo")
	const want = "cas0 *scase, order0 *uint16, pc0 *uintptr, nsends, nrecvs int, block bool"
	if f == nil {
		return s.Missing("function selectgo")
	}
	params := ""
	for i, p := range f.Type.Params.List {
		if i > 0 {
			params += ", "
		}
		params += s.Code(p)
	}
	if params != want {
		return s.Missing("function selectgo of " + want)
	}
	s.Insert(f.Body.Lbrace+1, " poolproofSelectUsed(cas0, nsends+nrecvs);")
	return nil
}
