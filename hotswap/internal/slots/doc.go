// Package slots is the protocol of hotswap: when a goroutine may read a value, when
// it may write it, and how the memory gets from the last reader to the next writer
// without a lock on the way of the readers.
//
// A Slot is room for one value. It is never freed, only used again, in
// generations. A Table is the slots of one pool; a Cell, one for each
// container, points to the current slot. Values are untyped here; package
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
// do not write the same cache line. A shard is a line of eight places, and a place
// counts the holds of one slot at a time: it has the mark of that slot and a count,
// or nothing. So the place to try does not depend on the slot, and a processor
// keeps its line over all generations of all slots. Each slot has one place more,
// its own, for those that find the eight taken by other slots.
//
// Let n be a place and n(s) the holds of slot s that it counts: its count if it has
// the mark of s, else 0. Each step below changes n(s) by 1 for one s, in one atomic
// operation that compares the whole place, and n(t) stays as it is for all others.
//
//	Enter    s = current; n = a place in the line of the hint that is free or
//	         has the mark of s, or s's own;
//	         n(s) + 1; if s is still current the hold is valid: return s, n
//	         else undo: n(s) - 1, look if it became 0; again
//	Leave    compare the generation; n(s) - 1; look if it became 0
//	look     word = s's word; if it is Retired, reclaim(word)
//	reclaim  if n(s) reads 0 in each place, s's own among them, and
//	         CAS(word -> Owned, generation + 1): Spare; wake what waits
//	publish  Owned -> Live; swap the current slot; old one -> Retired;
//	         reclaim(the word of the old one)
//	Again    of a hold: n(s) + 1 in the same place
//
// A scan reads the places of each line that have ever been tried, mostly the first
// alone: a hold in another one comes after the store that says so, which a scan that
// must see the hold therefore sees too.
//
// Counts are never reset and never go below 0. An undone +1 (a transient) may
// land in any generation, also in an Owned slot, and is taken back in the place
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
//     one in the same place. So the number of valid holds in a place only falls,
//     but for an Again, which is a +1 while n(s) is at least 1.
//  3. Transients add +1 and then -1 to n(s) in one place. So n(s) is never less
//     than the valid holds there.
//  4. So a place whose n(s) R reads as 0 has no valid hold of g then, and by 2 never
//     gets one again. All places read as 0, one after the other: no valid hold is
//     left at the end of the scan.
//  5. R's CAS compares the whole word. If the slot was reclaimed by another
//     meanwhile, and used again or not, its generation has moved and the CAS
//     fails. So exactly one reclaims g.
//
// Again must use the place of its original: from a place that R has not read into
// one that it has, a hold would pass unseen. For the same reason a hold that is
// released in another shard than its own needs other counts, see NewAnyShard.
//
// # Liveness: the last reader's slot is reclaimed
//
// Consider the last operation that brings n(s) of a Retired slot s to 0, such
// that it is 0 in all places after that, or the store of Retired if that comes later. Whoever
// performs it then looks: the releaser loads the word after its -1, and the
// retirer scans after its store (the order that Dekker's algorithm rests on).
// If the -1 is last, its load sees Retired and its scan zeros; if the store is
// last, the retirer's scan sees zeros. A transient's -1 may be the last one, so
// whoever undoes looks too. An n(s) that stays above 0 needs no look: the
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
// each known way to break the protocol: hotswap/internal/explore has the list. The
// model counts in shards of a slot, of which each Enter chooses one freely: to one
// slot a place is no more than that.
//
// # Misuse
//
// Leave compares the generation before it counts, and counts by CAS, which takes
// nothing from a place without a hold of the slot: a hold that is released twice
// panics before it does damage where it can be known. When it cannot, because others
// hold the same generation in the same place, one of these finds none later and
// panics. A reader whose hold was given away may then still read: the value is
// condemned, and when nothing is counted, the slot is emptied instead of made Spare. The collector
// keeps the memory for that reader.
package slots
