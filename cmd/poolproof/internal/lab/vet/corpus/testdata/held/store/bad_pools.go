package store

// put gives xs back by value: the box is new each time. So did Loki.
func (p *chunkRefs) put(xs []chunkRef) {
	p.pool.Put(&xs) // may "PV008"
}
