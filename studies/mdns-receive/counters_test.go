package mdnsreceive

import (
	"runtime"
	"testing"

	"github.com/poolproof/poolproof/studies/internal/exact"
)

// What was published are 9000 bytes a packet before the pool and 48 with it,
// which is what the caller would see of neither: with packets, ReadFrom of
// x/net allocates 15 times and 576 bytes in all of the first seven arms, and
// the caller's bytes come on top. A buffer of 9000 bytes takes 9472, the size
// class above; so does the copy of a packet of 8900, and there the pool saves
// nothing at all. The querier's context and timer are five allocations of 384
// bytes more.
//
// Without x/net's ReadFrom the copy is all that is left, at one allocation; and
// nothing is where packets are lent or counted. ReadBatch allocates the address
// of each packet, 48 bytes and 4.
func TestDrainCountersAreExact(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the counters are those of Linux")
	}
	const readFrom = 576
	const address = 48 + 4 // as ReadFrom of net returns it: two objects
	const sizeClass145, sizeClass1433, sizeClass8900 = 160, 1536, 9472
	const buffer = 9472
	copied := [3]uint64{readFrom + sizeClass145, readFrom + sizeClass1433, readFrom + sizeClass8900}
	want := map[string]struct {
		allocs uint64    // a packet
		bytes  [3]uint64 // a packet of each of the sizes
	}{
		"make":      {16, [3]uint64{readFrom + buffer, readFrom + buffer, readFrom + buffer}},
		"pool":      {16, copied},
		"noclear":   {16, copied},
		"used":      {16, copied},
		"querier":   {21, [3]uint64{copied[0] + 384, copied[1] + 384, copied[2] + 384}},
		"fixed":     {15, [3]uint64{readFrom, readFrom, readFrom}},
		"locked":    {15, [3]uint64{readFrom, readFrom, readFrom}},
		"msg":       {0, [3]uint64{}},
		"copy":      {1, [3]uint64{sizeClass145, sizeClass1433, sizeClass8900}},
		"counted":   {0, [3]uint64{}},
		"readbatch": {2, [3]uint64{48 + 4, 48 + 4, 48 + 4}},
		"recvmmsg":  {0, [3]uint64{}},
		"docmake":   {3, [3]uint64{address + buffer, address + buffer, address + buffer}},
		"docpool":   {3, [3]uint64{address + sizeClass145, address + sizeClass1433, address + sizeClass8900}},
		"transport": {0, [3]uint64{}},
	}
	const n = batch // packets of 8900 bytes that any queue may be asked for
	c := listen(t)
	for _, a := range arms {
		for i, size := range sizes {
			if c.Capacity(size) < n {
				t.Skipf("the queue holds %d packets of %d bytes, the test needs %d: raise net.core.rmem_max", c.Capacity(size), size, n)
			}
			packets := responses(t, size, 0, n)
			r := a.on(t, c)
			total := new(Consumer)
			deliver := total.Deliver
			allocs, bytes := exact.CountersAfter(t, func() {
				if err := c.Fill(packets); err != nil {
					t.Fatal(err)
				}
			}, func() {
				if took, err := r.Receive(n, deliver); err != nil {
					t.Fatal(c.Lost(took, n, size, err))
				}
			})
			w := want[a.name]
			if allocs != n*w.allocs || bytes != n*w.bytes[i] {
				t.Errorf("%s: %d packets of %d bytes: %d allocations and %d bytes, want %d and %d", a.name, n, size, allocs, bytes, n*w.allocs, n*w.bytes[i])
			}
		}
	}
}

// 1000 buffers of 9000 bytes, in the size class of 9472.
func TestIsolatedCountersAreExact(t *testing.T) {
	for _, arm := range isolatedArms {
		var wantAllocs, wantBytes uint64
		if arm.name == "make" {
			wantAllocs, wantBytes = isolatedBuffers, isolatedBuffers*9472
		}
		allocs, bytes := exact.Counters(t, func() { arm.run(isolatedBuffers) })
		if allocs != wantAllocs || bytes != wantBytes {
			t.Errorf("%s: %d allocations of %d bytes, want %d of %d", arm.name, allocs, bytes, wantAllocs, wantBytes)
		}
	}
}
