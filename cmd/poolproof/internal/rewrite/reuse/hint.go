package reuse

import "fmt"

// hinted is code that knows how much is likely to be needed: what the result of a place came
// to before is asked for at first.
type hinted struct {
	most string // the variable of what was needed since
	size string // the function that says what to ask for
	note string // the function that is told what was needed
}

// hint adds such code to a variant. A first guess is least or more, and each is limit or less.
//
// The guess follows what was needed last: up to it at once, but to no more than double, and down
// half-way. So a single large result changes little, and after a row of them all results
// together have at most two of the large ones' unneeded room; append itself, which doubles,
// leaves up to that. Results that are alike have the right size after as many of them as it takes to double.
func hint(v *Variant, a *source, stem string, least, limit int64) hinted {
	h := hinted{a.free(stem + "Most"), a.free("size" + upper(stem)), a.free("note" + upper(stem))}
	size, atomic := a.free(stem+"Size"), v.use("sync/atomic", "atomic")
	v.code += fmt.Sprintf(`// %[1]s holds the size asked for last, and %[2]s one more than the largest size needed since.
var %[1]s, %[2]s int64

// %[3]s returns the size to ask for first. It follows the sizes needed: up to double, and half-way down.
func %[3]s() int {
	size, need := %[5]s.LoadInt64(&%[1]s), %[5]s.SwapInt64(&%[2]s, 0)-1
	switch {
	case need > size:
		if size *= 2; size < %[6]d {
			size = %[6]d
		}
		if size > need {
			size = need
		}
	case need >= 0:
		size -= (size - need + 1) / 2
	}
	if size > %[7]d {
		size = %[7]d
	}
	%[5]s.StoreInt64(&%[1]s, size)
	return int(size)
}

// %[4]s tells %[3]s how much was needed.
func %[4]s(n int) {
	if int64(n) >= %[5]s.LoadInt64(&%[2]s) {
		%[5]s.StoreInt64(&%[2]s, int64(n)+1)
	}
}
`, size, h.most, h.size, h.note, atomic, least, limit)
	return h
}
