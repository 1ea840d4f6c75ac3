package core

import (
	"encoding/binary"
	"slices"
	"testing"
	"unsafe"
)

// TestTheTableIsAMap: any order of inserting, finding and deleting gives what
// a map gives.
func TestTheTableIsAMap(t *testing.T) {
	fuzzTable(t, []byte("abcdefghabcdxyzxyzxyz0123456789abcabcabc"))
}

func FuzzTable(f *testing.F) {
	f.Add([]byte("\x01\x00\x00\x01\x01\x00\x02\x01\x00"))
	f.Fuzz(fuzzTable)
}

func fuzzTable(t *testing.T, ops []byte) {
	table := smallTable(t)
	model := map[uintptr]uintptr{}
	for ; len(ops) >= 3; ops = ops[3:] {
		addr := windowLow + uintptr(binary.LittleEndian.Uint16(ops[1:])%512)*granule
		r := table.Find(addr)
		size, known := model[addr]
		if known != (r != nil) || known && (r.Size != size || r.Addr != addr || r.State == Free) {
			t.Fatalf("%#x: %+v, the model has %d, %v", addr, r, size, known)
		}
		switch {
		case ops[0]%3 == 0 && !known:
			if r = table.Insert(addr, uintptr(ops[0])); r == nil {
				t.Fatal("no room")
			}
			if r.State != Out || r.Owner != addr || r.PutStack != 0 || r.Family != 0 {
				t.Fatalf("a new record is %+v", r)
			}
			r.PutStack, r.Family = 7, 9 // must not show when its place is used again
			model[addr] = uintptr(ops[0])
		case ops[0]%3 == 1 && known:
			table.Delete(r)
			delete(model, addr)
		}
	}
	live := 0
	for shard := range ShardCount {
		for i := range table.ShardEnd(shard) {
			if r := table.At(shard, i); r.State != Free {
				live++
				if _, known := model[r.Addr]; !known || ShardOf(r.Addr) != shard {
					t.Fatalf("shard %d has %+v", shard, r)
				}
			}
		}
	}
	if live != len(model) {
		t.Fatalf("%d records, the model has %d", live, len(model))
	}
}

// smallTable is a table whose shards have room for some hundred records each.
func smallTable(t testing.TB) *Table {
	t.Helper()
	const records = 400
	table := new(Table)
	table.Init(memory(t, ShardCount*records*recordSpace), records, memory(t, TableMemory))
	return table
}

func TestAFullShardIsCountedNotOverrun(t *testing.T) {
	table := smallTable(t)
	inserted, refused := 0, 0
	for i := range uintptr(ShardCount * 4096) {
		if table.Insert(windowLow+i*64, 64) != nil {
			inserted++
		} else {
			refused++
		}
	}
	if refused == 0 || table.Lost() != uint64(refused) {
		t.Errorf("%d refused, %d lost", refused, table.Lost())
	}
	for i := range uintptr(ShardCount * 4096) {
		if r := table.Find(windowLow + i*64); r != nil {
			if r.Addr != windowLow+i*64 {
				t.Fatalf("found %+v at %#x", r, windowLow+i*64)
			}
			table.Delete(r)
			inserted--
		}
	}
	if inserted != 0 {
		t.Errorf("%d records were not found again", inserted)
	}
}

// TestShardsShareTheLoad: a shard takes whole pages, and as many as the others.
func TestShardsShareTheLoad(t *testing.T) {
	for _, stride := range []uintptr{1 << 13, 3 << 13, 1 << 16, 1 << 20, 1 << 26} {
		var count [ShardCount]int
		const n = ShardCount * 100
		for i := range uintptr(n) {
			page := windowLow + i*stride
			count[ShardOf(page)]++
			if ShardOf(page+8) != ShardOf(page) || ShardOf(page+1<<13-8) != ShardOf(page) {
				t.Fatalf("page %#x is in several shards", page)
			}
		}
		for shard, c := range count {
			if c > 150 {
				t.Errorf("pages %d bytes apart: %d of %d in shard %d", stride, c, n, shard)
			}
		}
	}
}

// TestBucketsShareTheLoad: what lies in one page, or at the same place of many
// pages, is in chains of a few records.
func TestBucketsShareTheLoad(t *testing.T) {
	for _, tt := range []struct{ stride, n, most uintptr }{
		{32, 1 << 14, 4},
		{64, 1 << 15, 4},
		{512, 1 << 15, 4},
		{8192, 1 << 15, 4},
		{3 * 8192, 1 << 15, 4},
		{1 << 20, 1 << 14, 4},
	} {
		table := smallTable(t)
		count := map[*uint32]uintptr{}
		for i := range tt.n {
			_, bucket := table.place(windowLow + i*tt.stride)
			count[bucket]++
			if count[bucket] > tt.most {
				t.Errorf("%d objects %d bytes apart: a chain of %d", tt.n, tt.stride, count[bucket])
				break
			}
		}
	}
}

// TestShardsFillAtTheSameRate: nothing is turned away before the table is nearly
// full, whatever the size of the objects: in one piece of the heap, and in pages
// that are taken by chance from a larger one.
func TestShardsFillAtTheSameRate(t *testing.T) {
	const least = 4 << 20 // what the documentation promises
	for _, tt := range []struct {
		name    string
		size    uintptr
		another int // one page of so many is of another kind
	}{
		{"8 bytes", 8, 0},
		{"16 bytes", 16, 0},
		{"8 bytes, two pages of three", 8, 3},
		{"8 bytes, one page of two", 8, 2},
		{"48 bytes, two pages of three", 48, 3},
		{"1024 bytes, one page of two", 1024, 2},
	} {
		var shards [ShardCount]int
		const page = 1 << pageBits
		state := uint64(1)
		addr := uintptr(windowLow)
		for n := 0; n < least; addr += page {
			state = mix(state + 1)
			if tt.another != 0 && state%uint64(tt.another) == 0 {
				continue
			}
			shard := ShardOf(addr)
			if ShardOf(addr+page-8) != shard {
				t.Fatalf("%s: a page in two shards", tt.name)
			}
			shards[shard] += page / int(tt.size)
			n += page / int(tt.size)
		}
		if n := slices.Max(shards[:]); n > ShardRecords {
			t.Errorf("%s: of %d objects %d are in one shard, which has room for %d", tt.name, least, n, ShardRecords)
		}
	}
}

func TestFamiliesAreUsedAgain(t *testing.T) {
	var f Families
	f.Init(memory(t, familyCount*spareSpace+4*regionStep))
	f.mem.reserved = 4 * regionStep
	release := func(n uint32) {
		for n != 0 {
			next := f.Leave(n)
			f.Release(n)
			n = next
		}
	}
	a := f.New()
	for _, size := range []int{1, 8, 9, FamilySize, 3, 0, 17} { // one after the other in the same place
		var in, out Family
		for in.Len = 0; int(in.Len) < size; in.Len++ {
			in.Members[in.Len].Addr = uintptr(1000*size) + uintptr(in.Len)
		}
		out.Len = 5
		if !f.Write(a, &in, f.New) {
			t.Fatalf("no room for %d", size)
		}
		if f.Read(a, &out); out.Len != in.Len || !slices.Equal(out.Members[:out.Len], in.Members[:in.Len]) {
			t.Errorf("of %d written %d are read", size, out.Len)
		}
	}
	release(a)
	all := map[uint32]bool{}
	for n := f.New(); n != 0; n = f.New() {
		var out Family
		if f.Read(n, &out); all[n] || out.Len != 0 {
			t.Fatalf("family %d, new %v, has %d", n, !all[n], out.Len)
		}
		all[n] = true
	}
	if most := int(4*regionStep/unsafe.Sizeof(familyBlock{})) - 1; len(all) != most || f.Lost != 1 || !all[a] {
		t.Errorf("%d families in room for %d; %d are counted as lost", len(all), most, f.Lost)
	}
	var large Family
	large.Len = FamilySize
	if f.Write(a, &large, f.New) {
		t.Error("a large family found room where there is none")
	}
	release(a)
	release(0)
	if f.New() != a || f.New() != 0 {
		t.Error("what was given back is not used again")
	}
	var none Family
	none.Len = 7
	if f.Read(0, &none); none.Len != 0 {
		t.Error("no family has members")
	}
}
