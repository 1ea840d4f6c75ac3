package core

import (
	"testing"
	"unsafe"
)

func TestRegisteredTypesAreThoseWithTheSign(t *testing.T) {
	text := []byte("+a/b.T.buf\n=a/b.Tree\n=a/b.T\n!c.U.x\n=c.V")
	l := NewFieldRules(unsafe.Pointer(&text[0]), uintptr(len(text)))
	for _, test := range []struct {
		pkg, name string
		want      bool
	}{
		{"a/b", "T", true}, {"a/b", "Tree", true}, {"c", "V", true},
		{"a/b", "Tr", false}, {"a", "T", false}, {"c", "U", false}, {"c", "VV", false}, {"c", "", false}, {"a/b", "", false},
	} {
		if got := l.registered(test.pkg, test.name); got != test.want {
			t.Errorf("%s.%s: %t, want %t", test.pkg, test.name, got, test.want)
		}
	}
}
