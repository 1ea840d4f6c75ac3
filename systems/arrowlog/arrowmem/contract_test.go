package arrowmem_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"unsafe"

	"github.com/poolproof/poolproof/systems/arrowlog/arrowmem"
)

// tracked returns a fresh instance of every allocator that keeps the contract.
// The function closes it.
func tracked() map[string]func() (arrowmem.Tracked, func() error) {
	none := func() error { return nil }
	return map[string]func() (arrowmem.Tracked, func() error){
		"go":       func() (arrowmem.Tracked, func() error) { return arrowmem.NewGo(), none },
		"recycler": func() (arrowmem.Tracked, func() error) { return arrowmem.NewRecycler(arrowmem.Options{}), none },
		"recycler that keeps small blocks only": func() (arrowmem.Tracked, func() error) {
			return arrowmem.NewRecycler(arrowmem.Options{MaxBlock: 4096, MaxRetained: -1}), none
		},
		"guard": func() (arrowmem.Tracked, func() error) {
			g := arrowmem.NewGuard(arrowmem.NewRecycler(arrowmem.Options{}), arrowmem.GuardOptions{Quarantine: 1 << 12})
			return g, g.Close
		},
	}
}

// held is a block of the model: what the memory must contain.
type held struct{ memory, want []byte }

// play runs a string of operations on an allocator and on a plain model: each
// byte chooses what to do, with which block, and with which size.
func play(t testing.TB, mem arrowmem.Tracked, operations []byte) {
	t.Helper()
	var blocks []held
	sizes := []int{0, 1, 63, 64, 65, 100, 200, 257, 1000, 4096, 9000, 70_000, 1 << 20, 3 << 20}
	check := func(h held, what string) {
		t.Helper()
		if !bytes.Equal(h.memory, h.want) {
			i := 0
			for h.memory[i] == h.want[i] {
				i++
			}
			t.Fatalf("%s: byte %d of %d is %#x, want %#x", what, i, len(h.want), h.memory[i], h.want[i])
		}
		if len(h.memory) > 0 && uintptr(unsafe.Pointer(&h.memory[0]))%64 != 0 {
			t.Fatalf("%s: %d bytes begin at %p, which is not a multiple of 64", what, len(h.memory), h.memory)
		}
	}
	write := func(h held, with byte) {
		for i := range h.memory {
			h.memory[i], h.want[i] = with, with
		}
	}
	var out int64
	for i := 0; i+2 < len(operations); i += 3 {
		size := sizes[int(operations[i+1])%len(sizes)]
		var at int
		if len(blocks) > 0 {
			at = int(operations[i+2]) % len(blocks)
		}
		switch {
		case operations[i]%4 == 0 || len(blocks) == 0:
			h := held{mem.Allocate(size), make([]byte, size)}
			if h.memory == nil {
				t.Fatal("Allocate(0) returned nil")
			}
			check(h, "Allocate")
			write(h, operations[i+2]|1)
			blocks = append(blocks, h)
			out += int64(size)
		case operations[i]%4 == 1:
			h := blocks[at]
			check(h, "before Reallocate")
			next := held{mem.Reallocate(size, h.memory), make([]byte, size)}
			copy(next.want, h.want)
			check(next, "Reallocate")
			write(next, operations[i+2]|2)
			out += int64(size - len(h.want))
			blocks[at] = next
		default:
			check(blocks[at], "before Free")
			mem.Free(blocks[at].memory)
			out -= int64(len(blocks[at].want))
			blocks[at] = blocks[len(blocks)-1]
			blocks = blocks[:len(blocks)-1]
		}
		if got := mem.AllocatedBytes(); got != out {
			t.Fatalf("AllocatedBytes is %d, want %d", got, out)
		}
	}
	for _, h := range blocks {
		check(h, "at the end")
		mem.Free(h.memory)
	}
	if got := mem.AllocatedBytes(); got != 0 {
		t.Fatalf("AllocatedBytes is %d after every Free", got)
	}
}

func TestAllocatorsKeepTheContract(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	operations := make([]byte, 3*500)
	for i := range operations {
		operations[i] = byte(random.Uint32())
	}
	for name, open := range tracked() {
		t.Run(name, func(t *testing.T) {
			mem, end := open()
			play(t, mem, operations)
			if err := end(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestManyGoroutinesShareAnAllocator(t *testing.T) {
	for name, open := range tracked() {
		t.Run(name, func(t *testing.T) {
			mem, end := open()
			handOver := make(chan []byte, 64)
			var all sync.WaitGroup
			for g := range 4 {
				all.Go(func() {
					random := rand.New(rand.NewPCG(uint64(g), 3))
					for range 100 {
						b := mem.Allocate(1 + int(random.Uint32()%5000))
						for i, c := range b {
							if c != 0 {
								t.Errorf("byte %d is %#x, want 0", i, c)
								return
							}
						}
						for i := range b {
							b[i] = byte(g + 1)
						}
						b = mem.Reallocate(len(b)+100, b)
						if b[0] != byte(g+1) || b[len(b)-1] != 0 {
							t.Error("Reallocate lost bytes or left some")
						}
						// Another goroutine frees it.
						select {
						case handOver <- b:
							mem.Free(<-handOver)
						default:
							mem.Free(b)
						}
					}
				})
			}
			all.Wait()
			if got := mem.AllocatedBytes(); got != 0 {
				t.Errorf("AllocatedBytes is %d after every Free", got)
			}
			if err := end(); err != nil {
				t.Error(err)
			}
		})
	}
}

func FuzzAllocators(f *testing.F) {
	f.Add([]byte{0, 3, 7, 1, 9, 0, 2, 0, 0})
	f.Add([]byte{0, 13, 1, 1, 2, 0, 1, 13, 0, 2, 0, 0, 0, 13, 5})
	f.Fuzz(func(t *testing.T, operations []byte) {
		if len(operations) > 600 {
			operations = operations[:600]
		}
		for _, open := range tracked() {
			mem, end := open()
			play(t, mem, operations)
			if err := end(); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestNegativeSizesPanic(t *testing.T) {
	for name, open := range tracked() {
		mem, _ := open()
		for call, f := range map[string]func(){
			"Allocate":   func() { mem.Allocate(-1) },
			"Reallocate": func() { mem.Reallocate(-5, nil) },
		} {
			t.Run(name+"/"+call, func(t *testing.T) {
				mustPanic(t, fmt.Sprintf("arrowmem: %s: the size is -", call), f)
			})
		}
	}
}
