package agree

import (
	"fmt"
	"slices"
)

// caller prints the code that calls the program: Execute as Go.
func (w *writer) caller() {
	use := fmt.Sprintf(uses[w.p.Kind][1], "b")
	w.say(nil, "func serve{N}(now bool) {\n\tfor now && len(queue{N}) > 0 {\n\t\tb := <-queue{N}")
	if w.p.Serve != servePuts {
		w.say(nil, "\t\t%s", use)
	}
	if w.p.Serve != serveReads {
		w.say(nil, "\t\t%s.Put(b)", pools[w.p.Pool])
	}
	w.say(nil, "\t}\n}\n")

	call := "p{N}(in, to)"
	switch w.p.Funcs[0].Result {
	case anObject:
		call = fmt.Sprintf("if b := %s; b != nil {\n\t\t%s\n\t\t%s.Put(b)\n\t}", call, use, pools[w.p.Pool])
	case aView:
		call = fmt.Sprintf("if v := %s; len(v) > 0 {\n\t\tlook(v)\n\t}", call)
	}
	w.say(nil, "func call{N}(in uint, to *params{N}) {\n\t%s\n}\n", call)

	w.say(nil, "func collect{N}(to *params{N}) {")
	for i, slot := range slots {
		if slices.ContainsFunc(w.p.stmts(), func(s *Stmt) bool { return s.Op == opStore && s.slot() == i }) {
			if i < 2 {
				w.say(nil, "\tif b := %s; b != nil {\n\t\t%s\n\t}", slot, use)
			} else {
				w.say(nil, "\tif v := %s; len(v) > 0 {\n\t\tlook(v)\n\t}", slot)
			}
		}
	}
	w.say(nil, "\ttry(func() { serve{N}(true) })\n}\n")
	w.say(nil, `func run{N}(in uint) {
	to := &params{N}{}
	try(func() { call{N}(in, to) })
	collect{N}(to)
	for i := 0; i < len(hooks{N}); i++ {
		try(hooks{N}[i])
	}
	waitForTasks()
	collect{N}(to)
	obj{N}, mem{N}, hooks{N} = nil, nil, nil
}`)
}
