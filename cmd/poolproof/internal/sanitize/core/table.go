package core

import "unsafe"

// A Record describes one range of memory that the sanitizer follows: a pooled
// object, or memory that such an object owns. It is self-contained, so that a
// report can be told from it alone.
//
// Addresses are numbers: the collector never sees a Record, and the sweep
// deletes it when the memory is freed.
type Record struct {
	Addr  uintptr
	Size  uintptr
	Type  uintptr // type descriptor of the object, or of the owner's object; 0 without a type
	Pool  uintptr
	Owner uintptr // address of the object that owns the range; its own for an object

	Holder uintptr // type of the struct that points to the range; 0 for an object
	Slot   uint32  // offset in Holder of the field that points to the range

	GetStack, PutStack uint32 // in the Depot
	GetTest, PutTest   uint32
	GetG, PutG         uint64 // goroutine ids
	Site               uint32 // in the Sites: pool and Get stack
	Hits               uint32 // accesses while in the pool
	Sum                uint64 // checksum of the content: while in the pool, or since New
	Family             uint32 // of an object: its Family, or 0
	Clock              uint32 // of an object that New made: what is older than it, see Ages; else 0
	Ticket             uint32 // of an object that New made: tells it from others at its address; else 0

	State State
	What  What
	Check Check

	next uint32 // in the hash chain
	id   uint32
}

// State says where a range is.
type State uint8

// The states of a range. A record of state Free is in no chain.
const (
	Free  State = iota
	Out         // in use by the program
	In          // in a pool: every access is a misuse
	Muted       // in a pool, but accesses are no longer looked at
)

// What says what part of a pooled object a range is.
type What uint8

// The parts of an object.
const (
	Object What = iota // what the Put pointer points to, or a Put slice's array
	Array              // behind a slice
	Child              // behind a pointer
	Caller             // no part: memory that the object keeps alive, see Ages
)

// Check says how a range's content is verified.
type Check uint8

// The ways to verify content.
const (
	Unchecked Check = iota
	Summed          // Sum is its checksum
	Poisoned        // each byte is the poison
)

// The table of a program has 64 shards of 80 Ki records: room for 4 Mi at least,
// as no shard gets many more than its share of them.
const (
	ShardCount   = 64
	ShardRecords = 5 << 14
	shardBuckets = 1 << 14
)

// A Table finds the Record of a range by its start address.
//
// Invariant: every record that is not Free is in the chain of the bucket of
// its address, in the shard of its address; addresses are unique. The shadow
// has the start bit of exactly the granules of these addresses.
type Table struct {
	shards [ShardCount]shard
}

type shard struct {
	buckets *[shardBuckets]uint32 // record index + 1; 0 ends a chain
	records unsafe.Pointer        // [most]Record
	mem     Region                // of records
	most    uint32
	used    uint32 // records[used:] were never used
	free    spares // of records[:used]
	lost    uint64 // ranges that found no place
}

// The address space and the memory that Init needs.
const (
	TableReserve = ShardCount * ShardRecords * recordSpace
	TableMemory  = ShardCount * shardBuckets * 4

	recordSpace = unsafe.Sizeof(Record{}) + spareSpace
)

// Init hands t reserved address space for so many records in each shard, and
// usable zeroed memory for its buckets.
func (t *Table) Init(reserve unsafe.Pointer, records uint32, memory unsafe.Pointer) {
	for i := range t.shards {
		s := &t.shards[i]
		space := uintptr(records) * unsafe.Sizeof(Record{})
		s.records, s.most = unsafe.Add(reserve, uintptr(i)*uintptr(records)*recordSpace), records
		s.mem.Init(s.records, space)
		s.free.init(unsafe.Add(s.records, space), records)
		s.buckets = (*[shardBuckets]uint32)(unsafe.Add(memory, i*shardBuckets*4))
	}
}

// pageBits is the size of a page of the allocator, as a power of two.
const pageBits = 13

// hashBlock spreads blocks of pages of the heap; see shardIn.
func hashBlock(addr uintptr) uint64 { return mix(uint64(addr) >> (pageBits + blockBits)) }

// blockBits says how many pages make a block: as many as there are shards.
const blockBits = 6

// shardIn returns the shard of an address in a block with hash h. What lies in
// one page is in one shard, in buckets that lie side by side: objects of one page
// are allocated one after the other by one processor, and swept together, so that
// their buckets and their lock are found in that processor's cache. The pages of
// a block are in all the shards, one in each, so that these fill at the same rate,
// also with small objects, of which a page has a thousand; a table whose pages
// were spread at random would turn some away when it is two thirds full.
func shardIn(h uint64, addr uintptr) uint64 { return (h + uint64(addr)>>pageBits) % ShardCount }

// bucketBytes is how many bytes of a page share a bucket.
const bucketBytes = 32

func mix(h uint64) uint64 {
	h ^= h >> 31
	h *= 0x9e3779b97f4a7c15
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	return h ^ h>>32
}

// ShardOf returns the shard of an address: an index into the locks.
func ShardOf(addr uintptr) int { return int(shardIn(hashBlock(addr), addr)) }

func (s *shard) record(i uint32) *Record {
	return (*Record)(unsafe.Add(s.records, uintptr(i)*unsafe.Sizeof(Record{})))
}

func (t *Table) place(addr uintptr) (s *shard, bucket *uint32) {
	h := hashBlock(addr)
	s = &t.shards[shardIn(h, addr)]
	return s, &s.buckets[(h/ShardCount+uint64(addr)%(1<<pageBits)/bucketBytes)%shardBuckets]
}

// Find returns the record of the range that starts at addr, or nil. The caller
// holds the lock of addr's shard, as for Insert and Delete.
func (t *Table) Find(addr uintptr) *Record {
	s, bucket := t.place(addr)
	for i := *bucket; i != 0; {
		r := s.record(i - 1)
		if r.Addr == addr {
			return r
		}
		i = r.next
	}
	return nil
}

// Insert makes a record of the range that starts at addr, which has none. It
// returns nil when the shard is full, and counts that.
func (t *Table) Insert(addr, size uintptr) *Record {
	s, bucket := t.place(addr)
	var i uint32
	switch {
	case s.free.n != 0:
		i = s.free.pop()
	case s.used < s.most && s.mem.Need(uintptr(s.used+1)*unsafe.Sizeof(Record{})):
		i = s.used
		s.used++
	default:
		s.lost++
		return nil
	}
	r := s.record(i)
	*r = Record{Addr: addr, Size: size, Owner: addr, State: Out, next: *bucket, id: i}
	*bucket = i + 1
	return r
}

// Delete takes r out of the table.
func (t *Table) Delete(r *Record) {
	s, bucket := t.place(r.Addr)
	for at := bucket; *at != 0; {
		if *at == r.id+1 {
			*at = r.next
			break
		}
		at = &s.record(*at - 1).next
	}
	r.State = Free
	r.Addr = 0
	s.free.push(r.id)
}

// Lost returns how many ranges found no place in their shard. The caller needs
// no lock: the count is for a note to the user.
func (t *Table) Lost() (n uint64) {
	for i := range t.shards {
		n += t.shards[i].lost
	}
	return n
}

// ShardEnd returns how many record places of a shard are or were in use. With
// At it walks them; the caller holds the shard's lock.
func (t *Table) ShardEnd(shard int) uint32 { return t.shards[shard].used }

// At returns the i-th record place of a shard, below ShardEnd; its state may
// be Free.
func (t *Table) At(shard int, i uint32) *Record { return t.shards[shard].record(i) }
