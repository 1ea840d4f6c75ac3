package buffer

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"testing"
	"unsafe"
)

var _ httputil.BufferPool = HTTPPool{}

// The two interfaces of other modules, as they are in google.golang.org/grpc/mem
// v1.71 and in github.com/apache/arrow-go/v18/arrow/memory.
type (
	grpcBufferPool interface {
		Get(length int) *[]byte
		Put(*[]byte)
	}
	arrowAllocator interface {
		Allocate(size int) []byte
		Reallocate(size int, b []byte) []byte
		Free(b []byte)
	}
)

var (
	_ grpcBufferPool = GRPCPool{}
	_ arrowAllocator = ArrowAllocator{}
)

func TestTheReverseProxyCopiesInPooledMemory(t *testing.T) {
	content := pattern(200_000, 1)
	back := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write(content) }))
	defer back.Close()
	target, err := url.Parse(back.URL)
	if err != nil {
		t.Fatal(err)
	}
	p := New(Options{})
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.BufferPool = p.Sized(32 << 10).HTTP()
	front := httptest.NewServer(proxy)
	defer front.Close()
	for range 3 {
		answer, err := http.Get(front.URL)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || string(got) != string(content) {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
	}
	if st := p.Stats(); st.Misses == 0 || st.Foreign != 0 {
		t.Errorf("the proxy did not use the pool, or not well: %+v", st)
	}
}

func TestHTTPPoolTakesBackItsOwnOnly(t *testing.T) {
	exactly(t)
	p := New(Options{})
	h := p.Sized(9000).HTTP()
	b := h.Get()
	if len(b) != 9000 {
		t.Fatalf("length %d", len(b))
	}
	h.Put(b[:10])
	if c := h.Get(); unsafe.SliceData(c) != unsafe.SliceData(b) || len(c) != 9000 {
		t.Errorf("other memory, or length %d", len(c))
	}
	h.Put(nil)
	h.Put(make([]byte, 9000))
	h.Put(make([]byte, 128))
	if n := p.Stats().Foreign; n != 3 {
		t.Errorf("%d refused, want 3", n)
	}
}

func TestGRPCPoolFindsTheClassByCapacity(t *testing.T) {
	exactly(t)
	p := New(Options{})
	g := p.GRPC()
	x := g.Get(9000)
	at := unsafe.SliceData(*x)
	*x = (*x)[:1]
	g.Put(x)
	if y := g.Get(9400); unsafe.SliceData(*y) != at || len(*y) != 9400 || cap(*y) != 9472 {
		t.Errorf("other memory, or length %d, capacity %d", len(*y), cap(*y))
	}
	g.Put(nil)
	odd := make([]byte, 5, 3000)
	g.Put(&odd)
	if n := p.Stats().Foreign; n != 2 {
		t.Errorf("%d refused, want 2", n)
	}
	if b := g.Get(2 << 20); len(*b) != 2<<20 {
		t.Errorf("above Max: length %d", len(*b))
	}
}

func TestArrowMemoryIsAligned(t *testing.T) {
	p := New(Options{Max: 64 << 10})
	a := p.Arrow()
	for _, size := range []int{0, 1, 63, 64, 1000, 33000, 70000, 1 << 20} {
		b := a.Allocate(size)
		if len(b) != size || address(b)%64 != 0 {
			t.Errorf("Allocate(%d): length %d at %#x", size, len(b), address(b))
		}
		a.Free(b)
	}
	a.Free(nil)
	a.Free(a.Allocate(100)[:10])
	foreign := p.Stats().Foreign
	if foreign != 0 {
		t.Errorf("%d of its own were refused", foreign)
	}
	a.Free(make([]byte, 10, 3000))
	if p.Stats().Foreign != 1 {
		t.Error("a slice of an odd capacity was taken")
	}
	b := a.Allocate(10)
	if same := a.Reallocate(cap(b), b); unsafe.SliceData(same) != unsafe.SliceData(b) {
		t.Error("Reallocate within the capacity moved")
	}
}

func TestReallocateKeepsWhatFits(t *testing.T) {
	a := New(Options{}).Arrow()
	for _, from := range []int{0, 1, 64, 1000, 5000} {
		for _, to := range []int{0, 1, 63, 64, 65, 1000, 5000, 9000} {
			b := a.Allocate(from)
			content := pattern(from, 3)
			copy(b, content)
			b = a.Reallocate(to, b)
			keep := min(from, to)
			if len(b) != to || string(b[:keep]) != string(content[:keep]) || !isZero(b[keep:]) {
				t.Errorf("from %d to %d: %d bytes, kept %t, the rest zero %t", from, to, len(b), string(b[:keep]) == string(content[:keep]), isZero(b[keep:]))
			}
			a.Free(b)
		}
	}
}

func TestArrowReallocateGivesBackMemoryThatIsTwiceTooLarge(t *testing.T) {
	exactly(t)
	p := New(Options{Max: 64 << 10})
	a := p.Arrow()
	for _, c := range []struct{ from, to, capacity int }{
		{64 << 10, 100, 128},
		{64 << 10, 32 << 10, 32 << 10},
		{64 << 10, 33 << 10, 64 << 10}, // less than twice the class of 40 KiB: it stays
		{64 << 10, 0, 64},
		{256 << 10, 100, 128},
		{256 << 10, 100 << 10, 100 << 10}, // above Max the capacity is what was asked
		{256 << 10, 200 << 10, 256 << 10},
	} {
		b := a.Allocate(c.from)
		copy(b, pattern(c.from, 1))
		at := unsafe.SliceData(b)
		b = a.Reallocate(c.to, b)
		if len(b) != c.to || cap(b) != c.capacity || string(b) != string(pattern(c.from, 1)[:c.to]) {
			t.Errorf("from %d to %d: length %d, capacity %d (want %d), or other bytes", c.from, c.to, len(b), cap(b), c.capacity)
		}
		if padding := b[len(b):min(cap(b), roundUp(len(b)))]; !isZero(padding) {
			t.Errorf("from %d to %d: the padding is %x", c.from, c.to, padding)
		}
		if moved := unsafe.SliceData(b) != at; c.from <= 64<<10 && moved {
			if again := a.Allocate(c.from); unsafe.SliceData(again) != at {
				t.Errorf("from %d to %d: the former memory did not come back to the pool", c.from, c.to)
			}
		}
		a.Free(b)
	}
}
