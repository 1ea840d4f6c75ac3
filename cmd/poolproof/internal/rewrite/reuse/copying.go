package reuse

import (
	"fmt"
	"go/ast"
)

// pooledCopy gives the variant of io.Copy that takes its buffer from a pool. Where neither side copies by
// itself, io.Copy makes one of 32 KiB, as io.CopyBuffer does not.
func pooledCopy(a *allocation, n *ast.CallExpr) ([]Variant, string) {
	k := newKeeper(a.in)
	if why := k.implementers("the buffer of io.Copy", copying...); why != "" {
		return nil, why
	}
	v := a.begin(Pool, Contract)
	stem := a.stem("copy")
	pool, name, io := a.in.free(stem+"Pool"), a.in.free(stem), v.use("io", "io")
	v.put(n.Fun.Pos(), n.Fun.End(), name)
	v.kept = append(v.kept, "var _ = "+a.in.code(n.Fun))
	v.poison = "\tfor i := range b {\n\t\tb[i] = 0xDB\n\t}\n"
	v.code = fmt.Sprintf(`// %[1]s has buffers that were used before.
var %[1]s = %[3]s.Pool{New: func() %[4]s { return new([32 << 10]byte) }}

// %[2]s is io.Copy with a buffer of the pool.
func %[2]s(dst %[5]s.Writer, src %[5]s.Reader) (int64, error) {
	b := %[1]s.Get().(*[32 << 10]byte)
	n, err := %[5]s.CopyBuffer(dst, src, b[:])
%[6]s	%[1]s.Put(b)
	return n, err
}
`, pool, name, v.use("sync", "sync"), a.in.anything(), io, poisonHere)
	return []Variant{*v}, ""
}
