package legal

import (
	"strings"
	"sync"
	"testing"
	"unsafe"
)

// names makes strings in an array that is only appended to, as protobuf's registry does:
// each byte is used once, so that the strings stay good for ever.
type names struct{ buf []byte }

func (n *names) name(prefix, name string) string {
	if want := len(prefix) + 1 + len(name); cap(n.buf)-len(n.buf) < want {
		n.buf = make([]byte, 0, max(64, want))
	}
	from := len(n.buf)
	n.buf = append(n.buf, prefix...)
	n.buf = append(n.buf, '.')
	n.buf = append(n.buf, name...)
	return unsafe.String(&n.buf[from], len(n.buf)-from)
}

var namings = sync.Pool{New: func() any { return new(names) }}

//want:silence
func TestStringsInAnArrayThatIsOnlyAppendedTo(t *testing.T) {
	var all []string
	for i := range 10 {
		n := namings.Get().(*names)
		all = append(all, n.name("some.package", strings.Repeat("x", i+1)))
		namings.Put(n)
	}
	for i, s := range all {
		if s != "some.package."+strings.Repeat("x", i+1) {
			t.Errorf("%q", s)
		}
	}
}
