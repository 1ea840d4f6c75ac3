// Package slots is the protocol of hotswap: when a goroutine may read a value, when
// it may write it, and how the memory gets from the last reader to the next writer
// without a lock on the way of the readers.
//
// A Slot is a place for one value. It is never freed, only used again, in
// generations. A Table is the slots of one pool; a Cell is what points to the
// current slot, one for each container. Values are untyped here; package
// hotswap is the typed shell.
//
// # State and counts
//
// The word of a slot is its generation and one of five states:
//
//	Empty    it has no value
//	Spare    it has a value that is not in use
//	Owned    it is one goroutine's: a writer's that fills the value, or that
//	         of the goroutine that has just found the last reader gone
//	Live     it is published: a cell points to it, or is about to, or just did
//	Retired  no cell points to it; readers may still be there
//
//	Empty, Spare -> Owned    claim: CAS, generation + 1
//	Owned -> Live            publish: CAS, by the draft's owner, under the cell's mutex
//	Live -> Retired          by whoever took it from the cell, under the cell's mutex
//	Retired -> Owned         reclaim: CAS, generation + 1
//	Owned -> Empty, Spare    by the owner
//
// So every entry into Owned raises the generation, and there is one owner.
//
// Readers are counted, in shards that they choose by a hint, so that processors
// do not write the same cache line. A line holds one shard's counts of 16 slots:
// a processor keeps its line over all generations of all of them.
//
//	Enter    s = current; n = s's count in the shard of the hint;
//	         n + 1; if s is still current the hold is valid: return s, n
//	         else undo: n - 1, look if it became 0; again
//	Leave    compare the generation; n - 1; look if it became 0
//	look     word = s's word; if it is Retired, reclaim(word)
//	reclaim  if each shard reads 0 and CAS(word -> Owned, generation + 1):
//	         Spare; wake what waits
//	publish  Owned -> Live; swap the current slot; old one -> Retired;
//	         reclaim(the word of the old one)
//	Again    of a hold: n + 1 in the same shard
//
// Counts are never reset and never go below 0. An undone +1 (a transient) may
// land in any generation, also in an Owned slot, and is taken back in the shard
// that it was added to.
//
// # Safety: a reclaimed slot has no reader
//
// Go's atomic operations are sequentially consistent, so each execution is some
// order of them. Take a generation g of a slot that is reclaimed by R.
//
//  1. A valid hold of g has its +1 before its second look at the cell, which saw
//     the slot there, hence before the swap that took it out, which comes before
//     the store of Retired, which comes before R's scan: R read a Retired word
//     before it scanned. (The slot cannot have left the cell and come back
//     between the +1 and the second look without the hold being one of the later
//     generation: to come back it must be reclaimed and published again, and the
//     hold is then valid for that one; value and generation are read after the
//     second look for this reason.)
//  2. After Retired no hold of g becomes valid, but by Again, whose caller has
//     one in the same shard. So the number of valid holds in a shard only falls,
//     but for an Again, which is a +1 while its shard is at least 1.
//  3. Transients add +1 and then -1 to one shard. So a shard never reads less
//     than its valid holds.
//  4. So a shard that R reads as 0 has no valid hold of g then, and by 2 never
//     gets one again. All shards read as 0, one after the other: no valid hold is
//     left at the end of the scan.
//  5. R's CAS compares the whole word. If the slot was reclaimed by another
//     meanwhile, and used again or not, its generation has moved and the CAS
//     fails. So exactly one reclaims g.
//
// Again must use the shard of its original: from a shard that R has not read into
// one that it has, a hold would pass unseen. For the same reason a hold that is
// released in another shard than its own needs a different scan, see AnyShard.
//
// # Liveness: the last reader's slot is reclaimed
//
// Consider the last operation that brings a count of a Retired slot to 0, such
// that all are 0 after it, or the store of Retired if that comes later. Whoever
// performs it then looks: the releaser loads the word after its -1, and the
// retirer scans after its store (the order that Dekker's algorithm rests on).
// If the -1 is last, its load sees Retired and its scan zeros; if the store is
// last, the retirer's scan sees zeros. A transient's -1 may be the last one, so
// whoever undoes looks too. A count that stays above 0 needs no look: the
// operation that brings it to 0 comes later. A transient that disturbs a scan
// looks itself, later.
//
// Enter is lock-free, not wait-free: it repeats only after a publication.
//
// # Waiting
//
// A goroutine that waits for a spare value or for a reader to leave raises a flag,
// then tries once more, then sleeps. One that reclaims stores the new state, then
// reads the flag. See Gate.
//
// # What checks it
//
// The explorer runs this source, and the packages above it, through all schedules
// of small scenarios (hotswap/internal/explore). protocol.pml is the protocol for
// spin, which visits all states; spin_test.go runs it. Both are shown to fail for
// each known way to break the protocol: docs/hotswap.md has the list.
//
// # Misuse
//
// Leave compares the generation before it counts, and counts by CAS, which never
// goes below 0: a hold that is released twice panics before it does damage where
// it can be known. When it cannot, because others hold the same generation in
// the same shard, one of these finds the count at 0 later and panics. A reader
// whose hold was given away may then still read: the value is condemned, and
// when its count allows, the slot is emptied instead of made Spare. The collector
// keeps the memory for that reader.
package slots
