package buffer

import "github.com/poolproof/poolproof/pool"

// Stats holds the counts of a Pool since it was made. Each number is exact
// unless its comment says otherwise; while the pool is in use they are read one
// after the other. A number that is not counted is 0: Level says what is. Numbers
// in bytes count whole classes, except Asked.
type Stats struct {
	Name  string          // Options.Name
	Level pool.StatsLevel // Options.Stats

	// Gets is the number of times that memory was handed out: by Get, Append,
	// Bytes, GetPtr and the adapters, and to buffers that grow. From the level
	// Uses on. At the level Uses a Buffer counts its first 64 uses as they happen;
	// after those it may hold back up to 63.
	Gets uint64

	Misses      uint64 // memory of a class was made, because the pool had none
	Oversize    uint64 // memory above Options.Max was made
	FromReserve uint64 // only the reserve had memory

	Dropped Drops

	// Foreign is the number of slices that Free, PutPtr and the adapters
	// refused, nil among them.
	Foreign uint64

	// Lost is the number of Buffers that the garbage collector took from an
	// owner who did not give them up. Collections find them, so it comes late.
	// At the level Leaks. Slices of Bytes and GetPtr are not watched.
	Lost uint64

	// InUse and InUseBytes are the Buffers that have an owner, shared ones
	// included and lost ones excepted, and their memory. At the level Leaks:
	// counting them takes an atomic operation for each Get and each Release.
	InUse, InUseBytes int64

	Reserved, ReservedBytes int64  // memory in the reserve, and its bytes
	Decayed                 uint64 // dropped from the reserve after 8 collections without a Get

	// Asked and Handed are the bytes that owners asked for and the bytes of the
	// memory that they got, added up when they give it back (of Bytes and GetPtr:
	// when they get it). Of a buffer of Append, and of one that has grown, the
	// length at the end is what was asked. From the level Uses on; counts
	// that Gets lacks are missing here too.
	Asked, Handed uint64

	// Class has an entry for each class that was used, ascending, and one of
	// Size 0 for memory above Options.Max, if there was any, at the end.
	Class []ClassStats
}

// Drops is the number of buffers that were given back and not kept, by reason.
type Drops struct {
	Oversize  uint64 // above Options.Max
	Abandoned uint64 // Copy did not return, because a reader or writer panicked
}

// Total returns the number of drops for any reason.
func (d Drops) Total() uint64 { return d.Oversize + d.Abandoned }

// ClassStats holds a Pool's counts of one class; see Stats.
type ClassStats struct {
	Size                      int // bytes
	Gets, Misses, FromReserve uint64
	Lost                      uint64
	InUse, InUseBytes         int64
	Reserved, ReservedBytes   int64
	Decayed                   uint64
	Asked, Handed             uint64
}

// Hits returns the number of Gets for which no memory was made. It is known from
// the level Uses on, else 0.
func (s Stats) Hits() uint64 {
	if made := s.Misses + s.Oversize; s.Gets > made {
		return s.Gets - made
	}
	return 0 // not counted, or not yet
}

// Waste returns the bytes handed out for each byte asked, at least 1 for known
// sizes. It is known from the level Uses on, else 0.
func (s Stats) Waste() float64 {
	if s.Asked == 0 {
		return 0
	}
	return float64(s.Handed) / float64(s.Asked)
}

// Stats returns what p has counted.
func (p *Pool) Stats() Stats {
	p.plain.must()
	st := Stats{
		Name:    p.options.Name,
		Level:   p.options.Stats,
		Foreign: p.foreign.Load(),
	}
	sets := p.sets()
	for i := range p.plain.classes {
		var sum ClassStats
		for _, s := range sets {
			if c := s.classes[i].Load(); c != nil {
				c.addTo(&sum, &st)
			}
		}
		if i == len(p.options.Classes) {
			st.Oversize = sum.Misses
		} else {
			st.Misses += sum.Misses
		}
		st.add(sum)
	}

	return st
}

// addTo adds the counts of c to a class's and its drops to the pool's.
func (c *class) addTo(s *ClassStats, of *Stats) {
	t := c.tally
	s.Size = c.size
	s.Gets += t.gets.Load()
	s.Misses += t.misses.Load()
	s.FromReserve += t.fromReserve.Load()
	s.Lost += t.lost.Load()
	s.InUse += t.out.Load()
	s.InUseBytes += t.outSize.Load()
	s.Asked += t.asked.Load()
	s.Handed += t.handed.Load()
	c.spareHeaders.addTo(s)
	c.spareBare.addTo(s)
	c.spareSlices.addTo(s)
	of.Dropped.Oversize += t.dropped.Load()
	of.Dropped.Abandoned += t.abandoned.Load()
}

// add adds a class, all but its misses, which are Oversize in one of them.
func (s *Stats) add(c ClassStats) {
	if c == (ClassStats{Size: c.Size}) {
		return
	}
	s.Gets += c.Gets
	s.FromReserve += c.FromReserve
	s.Lost += c.Lost
	s.InUse += c.InUse
	s.InUseBytes += c.InUseBytes
	s.Reserved += c.Reserved
	s.ReservedBytes += c.ReservedBytes
	s.Decayed += c.Decayed
	s.Asked += c.Asked
	s.Handed += c.Handed
	s.Class = append(s.Class, c)
}
