package agree

import (
	"fmt"
	"path"
	"strings"
)

// typeName is the type of the objects, as the runtime names it.
func (p *Program) typeName() string {
	return [...]string{"bytes.Buffer", "[]uint8", fmt.Sprintf("%s.box%d", path.Dir(p.file()), p.Number)}[p.Kind]
}

// file is the name of the program's file.
func (p *Program) file() string { return fmt.Sprintf("p%03d/p%d.go", p.Number/each, p.Number) }

// writer prints a program, and keeps the statement of each line.
type writer struct {
	p     *Program
	text  strings.Builder
	line  int
	depth int
	lines map[int]*Stmt
}

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

// say prints lines. N stands for the program's number, T for the type of the objects.
func (w *writer) say(s *Stmt, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	text = strings.NewReplacer("{N}", fmt.Sprint(w.p.Number), "{T}", "*"+w.p.Kind.elem(w.p.Number)).Replace(text)
	for l := range strings.SplitSeq(text, "\n") {
		if l != "" {
			w.text.WriteString(strings.Repeat("\t", w.depth))
		}
		w.text.WriteString(l + "\n")
		w.lines[w.line] = s
		w.line++
	}
}

func (k Kind) elem(n int) string {
	return [...]string{"bytes.Buffer", "[]byte", fmt.Sprintf("box%d", n)}[k]
}

var made = [...]string{
	"return bytes.NewBuffer(make([]byte, 0, 1024))",
	"b := make([]byte, 0, 1024)\n\treturn &b",
	"return &box{N}{buf: make([]byte, 64)}",
}

func (w *writer) declarations() {
	if w.p.Kind == aStruct {
		w.say(nil, "type box{N} struct {\n\tn   int\n\tbuf []byte\n}\n")
	}
	w.say(nil, "func new{N}() {T} {\n\t%s\n}\n", made[w.p.Kind])
	w.say(nil, "var (\n\tpool{N}  = sync.Pool{New: func() any { return new{N}() }}\n\tother{N} sync.Pool\n\tqueue{N} = make(chan {T}, 1000)\n\thooks{N} []func()\n\tobj{N}   {T}\n\tmem{N}   []byte\n)\n")
	w.say(nil, "type params{N} struct {\n\tobj {T}\n\tmem []byte\n}\n")
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

var (
	uses    = [...][3]string{{"%s.WriteByte('x')", "sink += %s.Len()", "%s.Reset()"}, {"*%[1]s = append(*%[1]s, 'x')", "sink += len(*%s)", "*%[1]s = (*%[1]s)[:0]"}, {"%s.n++", "sink += %s.n", "%s.n = 0"}}
	views   = [...]string{"%s.Bytes()[:8]", "(*%s)[:8]", "%s.buf[:8]"}
	touches = [...]string{"sink += int(%s[0])", "%s[0] = 'x'", "look(%s)"}
	slots   = [...]string{"obj{N}", "to.obj", "mem{N}", "to.mem"}
	pools   = [...]string{"pool{N}", "other{N}"}
)

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
		say("%s.Put(%s)", pools[s.Form], s.X)
	case opDefer:
		say("defer %s.Put(%s)", pools[s.Form], s.X)
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
		say("%s%s", set, s.X)
	case opNil:
		say("%s = nil", s.X)
	case opStore:
		say("%s = %s", slots[s.slot()], s.X)
	case opUnstore:
		say("%s = nil", slots[s.slot()])
	case opSend:
		say("queue{N} <- %s\nserve{N}(in&%d != 0)", s.X, 1<<turnBit)
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
		rounds := fmt.Sprint(s.Form)
		if s.Form == 0 {
			rounds = fmt.Sprintf("in >> %d & 3", loopBits)
		}
		w.block(f, s, "for range "+rounds+" {", "}")
	case opLeave:
		say("%s", [...]string{"break", "continue"}[s.Form])
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
		w.say(s, "%spool{N}.Get().({T})", set)
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
