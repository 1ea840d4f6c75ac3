package agree

import (
	"fmt"
	"path"
)

// each is the number of programs in a package. A test process writes 200 different
// misuses at most.
const each = 40

// typeName is the type of the objects, as the runtime names it.
func (p *Program) typeName() string {
	return [...]string{"bytes.Buffer", "[]uint8", fmt.Sprintf("%s.box%d", path.Dir(p.file()), p.Number)}[p.Kind]
}

// file is the name of the program's file.
func (p *Program) file() string { return fmt.Sprintf("p%03d/p%d.go", p.Number/each, p.Number) }

func (k Kind) elem(n int) string {
	return [...]string{"bytes.Buffer", "[]byte", fmt.Sprintf("box%d", n)}[k]
}

var made = [...]string{
	"return bytes.NewBuffer(make([]byte, 0, 1024))",
	"b := make([]byte, 0, 1024)\n\treturn &b",
	"return &box{N}{buf: make([]byte, 64)}",
}

// How statements are written, by kind, form or way.
var (
	uses    = [...][3]string{{"%s.WriteByte('x')", "sink += %s.Len()", "%s.Reset()"}, {"*%[1]s = append(*%[1]s, 'x')", "sink += len(*%s)", "*%[1]s = (*%[1]s)[:0]"}, {"%s.n++", "sink += %s.n", "%s.n = 0"}}
	views   = [...]string{"%s.Bytes()[:8]", "(*%s)[:8]", "%s.buf[:8]"}
	touches = [...]string{"sink += int(%s[0])", "%s[0] = 'x'", "look(%s)"}
	slots   = [...]string{"obj{N}", "to.obj", "mem{N}", "to.mem"}
	pools   = [...]string{"pool{N}", "other{N}"}
	puts    = [ways]string{"%s.Put(%s)", "put(&%s, %s)", "storeOf{N}(&%s).put(%s)"}
	gets    = [ways]string{"pool{N}.Get().({T})", "take[{T}](&pool{N})", "keeper{N}{&pool{N}}.get()"}
	aliases = [ways]string{"%s", "same(%s)", "any(%s).({T})"}
)
