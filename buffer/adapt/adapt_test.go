package adapt_test

import (
	"io"
	"math/bits"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"testing"
	"unsafe"

	"github.com/poolproof/poolproof/buffer"
	"github.com/poolproof/poolproof/buffer/adapt"
	"github.com/poolproof/poolproof/internal/expect"
)

var _ httputil.BufferPool = adapt.HTTPPool{}

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
	_ grpcBufferPool = adapt.GRPCPool{}
	_ arrowAllocator = adapt.ArrowAllocator{}
)

func TestTheReverseProxyCopiesInPooledMemory(t *testing.T) {
	content := pattern(200_000, 1)
	back := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write(content) }))
	defer back.Close()
	target, err := url.Parse(back.URL)
	if err != nil {
		t.Fatal(err)
	}
	p := buffer.New(buffer.Options{})
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.BufferPool = adapt.HTTP(p.Sized(32 << 10))
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
	p := buffer.New(buffer.Options{})
	h := adapt.HTTP(p.Sized(9000))
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
	p := buffer.New(buffer.Options{})
	g := adapt.GRPC(p)
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
	p := buffer.New(buffer.Options{Max: 64 << 10})
	a := adapt.Arrow(p)
	for _, size := range []int{0, 1, 63, 64, 1000, 33000, 70000, 1 << 20} {
		b := a.Allocate(size)
		if len(b) != size || uintptr(unsafe.Pointer(unsafe.SliceData(b)))%64 != 0 {
			t.Errorf("Allocate(%d): length %d at %#x", size, len(b), uintptr(unsafe.Pointer(unsafe.SliceData(b))))
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
	a := adapt.Arrow(buffer.New(buffer.Options{}))
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
	p := buffer.New(buffer.Options{Max: 64 << 10})
	a := adapt.Arrow(p)
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
		if padding := b[len(b):min(cap(b), (len(b)+63)&^63)]; !isZero(padding) {
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

func TestArrowMemoryIsZeroToItsPadding(t *testing.T) {
	for _, zero := range []buffer.Zero{buffer.ZeroNone, buffer.ZeroGet, buffer.ZeroUsed} {
		a := adapt.Arrow(buffer.New(buffer.Options{Zero: zero}))
		for round := range 50 {
			b := a.Allocate(100)
			if !isZero(b) || zero != buffer.ZeroGet && !isZero(b[:128]) {
				t.Fatalf("Zero %s: Allocate hands out %x", zero, b[:128])
			}
			copy(b[:cap(b)], canaries(cap(b)))
			b = a.Reallocate(90, b)
			b = a.Reallocate(120, b) // within the capacity
			if !isZero(b[90:128]) || b[89] != canary {
				t.Fatalf("round %d: Reallocate within the capacity: %x", round, b)
			}
			copy(b, canaries(120))
			b = a.Reallocate(5000, b)
			if b[119] != canary || !isZero(b[120:]) {
				t.Fatalf("round %d: Reallocate to other memory: %x", round, b[:200])
			}
			copy(b[:cap(b)], canaries(cap(b)))
			a.Free(b)
		}
	}
}

func TestGRPCMemoryIsZeroOverItsLength(t *testing.T) {
	for _, zero := range []buffer.Zero{buffer.ZeroNone, buffer.ZeroGet, buffer.ZeroUsed} {
		g := adapt.GRPC(buffer.New(buffer.Options{Zero: zero}))
		for range 50 {
			x := g.Get(1000)
			if !isZero(*x) {
				t.Fatalf("Zero %s: Get hands out what another owner has written", zero)
			}
			m := (*x)[:cap(*x)]
			copy(m, canaries(len(m)))
			g.Put(x)
		}
	}
}

//poolproof:ignore m is the memory of y: that is what is tested
func TestGRPCClearsNoMoreThanTheLength(t *testing.T) {
	exactly(t)
	normalBuild(t, "fills memory that waits")
	g := adapt.GRPC(buffer.New(buffer.Options{}))
	x := g.Get(64 << 10)
	m := *x
	copy(m, canaries(len(m)))
	g.Put(x)
	if y := g.Get(60 << 10); unsafe.SliceData(*y) != unsafe.SliceData(m) || !isZero(*y) || m[60<<10] != canary {
		t.Errorf("the same memory %t, zero %t, cleared beyond %t", unsafe.SliceData(*y) == unsafe.SliceData(m), isZero(*y), m[60<<10] == 0)
	}
}

func TestAZeroAdapterPanicsInWords(t *testing.T) {
	for maker, uses := range map[string][]func(){
		"a GRPCPool that was not made by GRPC":         {func() { adapt.GRPCPool{}.Get(1) }, func() { adapt.GRPCPool{}.Put(nil) }},
		"an HTTPPool that was not made by HTTP":        {func() { adapt.HTTPPool{}.Get() }, func() { adapt.HTTPPool{}.Put(nil) }},
		"an ArrowAllocator that was not made by Arrow": {func() { adapt.ArrowAllocator{}.Allocate(1) }, func() { adapt.ArrowAllocator{}.Reallocate(1, nil) }, func() { adapt.ArrowAllocator{}.Free(nil) }},
	} {
		for _, use := range uses {
			expect.InOrder(t, expect.Panic(use), "adapt: use of "+maker)
		}
	}
	for _, use := range []func(){
		func() { adapt.GRPC(new(buffer.Pool)) },
		func() { adapt.Arrow(new(buffer.Pool)) },
	} {
		expect.InOrder(t, expect.Panic(use), "buffer: use of a Pool that was not made by New")
	}
	expect.InOrder(t, expect.Panic(func() { adapt.HTTP(new(buffer.Sized)).Get() }), "buffer: use of a Sized that was not made by Pool.Sized")
	expect.InOrder(t, expect.Panic(func() { adapt.Body(new(buffer.Shared)) }), "of a Shared that was given up by Release or Own, or that no Buffer has handed out")
}

func TestSizesThatCannotBeArePanicsInWords(t *testing.T) {
	p := buffer.New(buffer.Options{Name: "pages"})
	const huge = 1<<(bits.UintSize-2) + 1
	for want, use := range map[string]func(){
		"Bytes(-6): the size is negative":   func() { adapt.Arrow(p).Allocate(-6) },
		"Bytes(-7): the size is negative":   func() { adapt.Arrow(p).Reallocate(-7, make([]byte, 5)) },
		"GetPtr(-8): the size is negative":  func() { adapt.GRPC(p).Get(-8) },
		"Bytes(" + strconv.Itoa(huge):       func() { adapt.Arrow(p).Allocate(huge) },
		"Bytes(" + strconv.Itoa(huge) + ")": func() { adapt.Arrow(p).Reallocate(huge, nil) },
	} {
		expect.InOrder(t, expect.Panic(use), `buffer: pool "pages": `, want)
	}
}

// Warm adapters allocate nothing, but for a Body.
func TestWarmAdaptersAllocateNothing(t *testing.T) {
	exactly(t)
	normalBuild(t, "records stacks")
	for _, zero := range []buffer.Zero{buffer.ZeroDefault, buffer.ZeroGet, buffer.ZeroFull} {
		p := buffer.New(buffer.Options{Zero: zero})
		h, g, a := adapt.HTTP(p.Sized(9000)), adapt.GRPC(p), adapt.Arrow(p)
		s := filled(p, 100).Share()
		for name, c := range map[string]struct {
			want float64
			use  func()
		}{
			"HTTP":  {0, func() { h.Put(h.Get()) }},
			"GRPC":  {0, func() { g.Put(g.Get(9000)) }},
			"Arrow": {0, func() { a.Free(a.Reallocate(9000, a.Allocate(100))) }},
			"Body":  {1, func() { adapt.Body(s).Close() }},
		} {
			c.use()
			if got := testing.AllocsPerRun(100, c.use); got != c.want {
				t.Errorf("%s: %s: %v allocations, want %v", zero, name, got, c.want)
			}
		}
	}
}

// Memory that grows in place was another owner's beyond the padding of its first
// size: what Reallocate adds is zero, whatever waited there.
func TestReallocateInPlaceAddsZerosWhereAnotherOwnerWrote(t *testing.T) {
	exactly(t)
	for _, zero := range []buffer.Zero{buffer.ZeroNone, buffer.ZeroGet} {
		a := adapt.Arrow(buffer.New(buffer.Options{Zero: zero}))
		first := a.Allocate(320)
		copy(first, canaries(320))
		at := unsafe.SliceData(first)
		a.Free(first)

		b := a.Allocate(280) // zero to 320; what follows makes it the owner's again
		copy(b[:cap(b)], canaries(cap(b)))
		b = a.Reallocate(257, b[:257])
		copy(b, canaries(257))
		if unsafe.SliceData(b) != at {
			t.Fatal("other memory")
		}
		full := b[:cap(b)]
		copy(full[257:], canaries(63))
		if b = a.Reallocate(300, b); unsafe.SliceData(b) != at || !isZero(b[257:]) {
			t.Errorf("%s: Reallocate in place added %x", zero, b[257:])
		}
	}
}
