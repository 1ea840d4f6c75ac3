package core

import (
	"testing"
	"unsafe"
)

func TestWhatTheListSaysOfTypesThatAreKept(t *testing.T) {
	const text = "=2example.com/a.T\n-example.com/a.U\n=0example.com/a.T example.com/b z.go:12\n=1example.com/a.T example.com/b z.go:20\n=1example.com/a.V\n+example.com/a.T.f"
	l := NewFieldRules(unsafe.Pointer(unsafe.StringData(text)), uintptr(len(text)))
	for _, test := range []struct {
		pkg, name string
		by        *Function
		want      Keeping
	}{
		{"example.com/a", "T", nil, Objects},
		{"example.com/a", "V", nil, Memory},
		{"example.com/a", "U", nil, Nothing},
		{"example.com/a", "", nil, Nothing},
		{"", "T", nil, Nothing},
		{"example.com/b", "T", nil, Nothing},
		{"example.com/a", "T", &Function{"example.com/b.init.func1", "/src/b/z.go", 12}, Nothing},
		{"example.com/a", "T", &Function{"example.com/b.(*G[...]).get", "z.go", 20}, Memory},
		{"example.com/a", "T", &Function{"example.com/b.init.func1", "/src/b/z.go", 2}, Objects},
		{"example.com/a", "T", &Function{"example.com/b.init.func1", "/src/b/z.go", 112}, Objects},
		{"example.com/a", "T", &Function{"example.com/b.init.func1", "/src/b/yz.go", 12}, Objects},
		{"example.com/a", "T", &Function{"example.com/b.init.func1", "z", 12}, Objects},
		{"example.com/a", "T", &Function{"example.com/bb.init.func1", "/src/b/z.go", 12}, Objects},
		{"example.com/a", "V", &Function{"example.com/b.init.func1", "/src/b/z.go", 12}, Memory},
	} {
		if got := l.keeps(test.pkg, test.name, test.by); got != test.want {
			t.Errorf("%s.%s made by %v: %v, want %v", test.pkg, test.name, test.by, got, test.want)
		}
	}
}
