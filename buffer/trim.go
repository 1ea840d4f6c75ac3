package buffer

// Trim drops memory that waits in the pool until at most bytes are left, and
// returns the number of bytes that it dropped. The smallest classes stay, since
// they serve most for their size; the reserve goes before the rest. Trim cannot
// reach the one buffer of each class that each processor may hold for itself:
// those go with two garbage collections in which no Get takes them. Trim is
// safe for concurrent use; what others release while it runs may stay.
func (p *Pool) Trim(bytes int64) (dropped int64) {
	p.plain.must()
	left := max(bytes, 0)
	for _, trim := range []func(*class, *int64) int64{(*class).trimKept, (*class).trimReserve} {
		for i := range p.options.Classes {
			for _, s := range p.sets() {
				if c := s.classes[i].Load(); c != nil {
					dropped += trim(c, &left)
				}
			}
		}
	}
	return dropped
}

// trimReserve drops from the reserve of c what exceeds left, lowers left by what
// it keeps, and returns the bytes that it dropped.
func (c *class) trimReserve(left *int64) (dropped int64) {
	for _, trim := range []func(int64) (int64, int64){c.spareHeaders.trim, c.spareBare.trim, c.spareSlices.trim} {
		gone, kept := trim(*left)
		dropped += gone
		*left -= min(kept, *left)
	}
	return dropped
}
