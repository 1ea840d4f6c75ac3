package agree

import (
	"fmt"
	"slices"
	"strings"
)

// source is the program's file, and the statements of its lines.
func (p *Program) source(pkg string) (text string, lines map[int]*Stmt) {
	w := &writer{p: p, line: 1, lines: map[int]*Stmt{}}
	imports := `import "sync"`
	if p.Kind == aBuffer {
		imports = "import (\n\t\"bytes\"\n\t\"sync\"\n)"
	}
	w.say(nil, "package %s\n\n%s\n", pkg, imports)
	w.declarations()
	w.functions()
	w.caller()
	return w.text.String(), w.lines
}

// Text is the program without its caller, for people: its functions, with the numbers of
// their lines.
func (p *Program) Text() string {
	text, _ := p.source("p")
	var b strings.Builder
	for i, l := range strings.Split(text, "\n") {
		if strings.HasPrefix(l, "func serve") {
			break
		}
		if b.Len() > 0 || strings.HasPrefix(l, fmt.Sprintf("func p%d(", p.Number)) {
			fmt.Fprintf(&b, "%3d  %s\n", i+1, l)
		}
	}
	return strings.TrimRight(b.String(), "0123456789 \n")
}

func (w *writer) declarations() {
	if w.p.Kind == aStruct {
		w.say(nil, "type box{N} struct {\n\tn   int\n\tbuf []byte\n}\n")
	}
	w.say(nil, "func new{N}() {T} {\n\t%s\n}\n", made[w.p.Kind])
	w.say(nil, "var (\n\tpool{N}  = sync.Pool{New: func() any { return new{N}() }}\n\tother{N} sync.Pool\n\tqueue{N} = make(chan {T}, 1000)\n\thooks{N} []func()\n\tobj{N}   {T}\n\tmem{N}   []byte\n)\n")
	w.say(nil, "type params{N} struct {\n\tobj {T}\n\tmem []byte\n}\n")
	if w.p.Wide {
		w.wideDeclarations()
	}
}

// wideDeclarations prints the types of the wide grammar.
func (w *writer) wideDeclarations() {
	w.say(nil, `type held{N} struct{ obj {T} }

func (h *held{N}) release() {
	if h.obj != nil {
		%s.Put(h.obj)
		h.obj = nil
	}
}

type store{N} interface{ put(b {T}) }

type keeper{N} struct{ *sync.Pool }

func (k keeper{N}) put(b {T}) { k.Put(b) }

func (k keeper{N}) get() {T} { return k.Get().({T}) }

func storeOf{N}(p *sync.Pool) store{N} { return keeper{N}{p} }
`, pools[w.p.Pool])
	// vet warns of a method that leaves in the struct what it puts: only where it is called.
	if slices.ContainsFunc(w.p.stmts(), func(s *Stmt) bool { return s.Op == opRelease && s.Form == 1 }) {
		w.say(nil, "func (h *held{N}) putBack() {\n\tif h.obj != nil {\n\t\t%s.Put(h.obj)\n\t}\n}\n", pools[w.p.Pool])
	}
}

func (r Result) text() string { return [...]string{"", " error", " {T}", " []byte"}[r] }

func (w *writer) functions() {
	for i, f := range w.p.Funcs {
		if w.p.calls(i) {
			w.function(i, f)
		}
	}
}

func (w *writer) function(i int, f *Func) {
	switch {
	case i == 0:
		w.say(nil, "func p{N}(in uint, to *params{N})%s {", f.Result.text())
	case f.Param == "":
		w.say(nil, "func p{N}h%d(in uint)%s {", i, f.Result.text())
	default:
		w.say(nil, "func p{N}h%d(in uint, %s %s)%s {", i, f.Param, map[byte]string{'a': "{T}", 'v': "[]byte"}[sort(f.Param)], f.Result.text())
	}
	if f.flag {
		w.depth++
		w.say(nil, "flag := false")
		w.depth--
	}
	w.list(f, f.Body)
	if n := len(f.Body); f.Result != noResult && (n == 0 || f.Body[n-1].Op != opReturn && f.Body[n-1].Op != opPanic) {
		w.say(nil, "\treturn nil")
	}
	w.say(nil, "}\n")
}

func (w *writer) list(f *Func, all []*Stmt) {
	w.depth++
	for _, s := range all {
		w.stmt(f, s)
		if s.declares && s.unused {
			w.say(s, "_ = %s", s.Y)
		}
	}
	w.depth--
}

func (w *writer) stmt(f *Func, s *Stmt) {
	say := func(format string, args ...any) { w.say(s, format, args...) }
	set := s.Y + " = "
	if s.declares {
		set = s.Y + " := "
	}
	switch s.Op {
	case opGet:
		w.get(s, set)
	case opPut:
		say(puts[s.Via], pools[s.Form], s.X)
	case opDefer:
		say("defer "+puts[s.Via], pools[s.Form], s.X)
	case opUse:
		say(uses[w.p.Kind][s.Form], s.X)
	case opView:
		say("%s"+views[w.p.Kind], set, s.X)
	case opTouch:
		say(touches[s.Form], s.X)
	case opCut:
		say("%s = %[1]s[1:]", s.X)
	case opCopy:
		say("%sappend([]byte(nil), %s...)", set, s.X)
	case opAlias:
		say("%s"+aliases[s.Via], set, s.X)
	case opNil:
		say("%s = nil", s.X)
	case opStore:
		say("%s = %s", slots[s.slot()], s.X)
	case opUnstore:
		say("%s = nil", slots[s.slot()])
	case opSend:
		say("queue{N} <- %s\nserve{N}(in&%d != 0)", s.X, 1<<turnBit)
	case opSelect:
		if s.Form == 0 {
			say("select {\ncase queue{N} <- %s:\n\tserve{N}(in&%d != 0)\ndefault:", s.X, 1<<turnBit)
		} else {
			say("%[1]s := queue{N}\nif in&%[2]d != 0 {\n\t%[1]s = nil\n}\nselect {\ncase %[1]s <- %[3]s:\n\tserve{N}(in&%[4]d != 0)\ndefault:", w.label(s), 1<<s.Cond.Bit, s.X, 1<<turnBit)
		}
		w.inside(f, s, s.Body)
		say("}")
	case opHold:
		if s.declares {
			say("%s := &held{N}{%s}", s.Y, s.X)
		} else {
			say("%s.obj = %s", s.Y, s.X)
		}
	case opTake:
		say("%s%s.obj", set, s.X)
	case opRelease:
		say("%s.%s()", s.X, [...]string{"release", "putBack"}[s.Form])
	case opSwitch:
		say("switch {\ncase %s:", s.Cond)
		w.inside(f, s, s.Body)
		if s.Form == 1 {
			say("\tfallthrough")
		}
		say("default:")
		w.inside(f, s, s.Else)
		say("}")
	case opCall:
		args := "in"
		if s.X != "" {
			args += ", " + s.X
		}
		if s.Y == "" {
			set = ""
		}
		say("%sp{N}h%d(%s)", set, s.Helper, args)
	case opNow:
		w.block(f, s, "func() {", "}()")
	case opBind:
		w.block(f, s, set+"func() {", "}")
	case opInvoke:
		say("%s()", s.X)
	case opLater:
		w.block(f, s, "defer func() {", "}()")
	case opHook:
		w.block(f, s, "hooks{N} = append(hooks{N}, func() {", "})")
	case opGo:
		say("%snewTask()\ngo func(t *task) {\n\t<-t.gate\n\tdefer t.ended()", set)
		w.list(f, s.Body)
		say("}(%s)\n%[1]s.turn(in&%d != 0)", s.Y, 1<<turnBit)
	case opWait:
		say("%s.Wait()", s.X)
	case opIf:
		say("if %s {", s.Cond)
		w.list(f, s.Body)
		if len(s.Else) > 0 {
			say("} else {")
			w.list(f, s.Else)
		}
		say("}")
	case opLoop:
		w.loop(f, s)
	case opLeave:
		w.leave(s)
	case opReturn:
		say("return%s", returned(f.Result, s))
	case opPanic:
		say(`panic("it fails")`)
	case opRecover:
		say("defer func() { recover() }()")
	case opFlag:
		say("flag = %t", s.Form == 1)
	}
}

func returned(r Result, s *Stmt) string {
	switch {
	case r == noResult:
		return ""
	case r == anError && s.Form == 1:
		return " errFail"
	case s.X == "":
		return " nil"
	}
	return " " + s.X
}

func (w *writer) block(f *Func, s *Stmt, open, end string) {
	w.say(s, "%s", open)
	w.list(f, s.Body)
	w.say(s, "%s", end)
}

func (w *writer) get(s *Stmt, set string) {
	switch s.Form {
	case getNew:
		w.say(s, "%s"+gets[s.Via], set)
	case getNil:
		w.say(s, "%sother{N}.Get().({T})", set)
	case getOK:
		if s.declares {
			w.say(s, "%s, ok := other{N}.Get().({T})\nif !ok {\n\t%[1]s = new{N}()\n}", s.Y)
			return
		}
		w.say(s, "if x, ok := other{N}.Get().({T}); ok {\n\t%s = x\n} else {\n\t%[1]s = new{N}()\n}", s.Y)
	case getSwitch:
		if s.declares {
			w.say(s, "var %s {T}", s.Y)
		}
		w.say(s, "switch x := other{N}.Get().(type) {\ncase {T}:\n\t%s = x\ndefault:\n\t%[1]s = new{N}()\n}", s.Y)
	}
}

func (c Cond) String() string {
	switch {
	case c.Flag && c.Not:
		return "!flag"
	case c.Flag:
		return "flag"
	case c.Nil != "" && c.Not:
		return c.Nil + " != nil"
	case c.Nil != "":
		return c.Nil + " == nil"
	case c.Not:
		return fmt.Sprintf("in&%d == 0", 1<<c.Bit)
	}
	return fmt.Sprintf("in&%d != 0", 1<<c.Bit)
}
