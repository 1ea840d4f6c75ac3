package oas

// link holds the data of a node that edits need, beside that of node: the value
// that it is in, the sibling before it, and its own last child; 0 for none. The
// first edit of a document makes them all, so that a document that is only read
// needs no memory for them.
type link struct{ up, prev, last uint32 }

// link makes the links of the nodes that have none yet. The first of these is in
// no other one, unless it is the root.
func (d *Doc) link() {
	from := len(d.links)
	if from == 0 {
		d.links = make([]link, 0, len(d.nodes)+len(d.nodes)/8)
	}
	d.links = append(d.links, make([]link, len(d.nodes)-from)...)
	for i := from; i < len(d.nodes); i++ {
		d.adopt(uint32(i))
	}
}

// adopt makes the children of a node know it.
func (d *Doc) adopt(at uint32) {
	before := uint32(0)
	for c := d.nodes[at].first; c != 0; c = d.nodes[c].next {
		d.links[c].up, d.links[c].prev = at, before
		before = c
	}
	d.links[at].last = before
}

// disown makes the children of a node be in none.
func (d *Doc) disown(at uint32) {
	for c := d.nodes[at].first; c != 0; c = d.nodes[c].next {
		d.links[c].up = 0
	}
}

// add makes a node the last child of parent.
func (d *Doc) add(parent, child uint32) {
	last := d.links[parent].last
	if last == 0 {
		d.nodes[parent].first = child
	} else {
		d.nodes[last].next = child
	}
	d.links[child].up, d.links[child].prev = parent, last
	d.links[parent].last = child
	d.nodes[parent].count++
	d.edited = true
}

// remove takes a node out of the one that it is in.
func (d *Doc) remove(at uint32) {
	l, next := d.links[at], d.nodes[at].next
	if l.prev == 0 {
		d.nodes[l.up].first = next
	} else {
		d.nodes[l.prev].next = next
	}
	if next == 0 {
		d.links[l.up].last = l.prev
	} else {
		d.links[next].prev = l.prev
	}
	d.nodes[l.up].count--
	d.links[at].up = 0
	d.edited = true
}

// way returns the nodes from the root to at, both included; nothing if at is not
// in the document any more.
func (d *Doc) way(at uint32) []uint32 {
	if len(d.links) > 0 {
		return d.climb(at, 1)
	}
	way := []uint32{1}
	// A node comes before its children and after its elder siblings, so the way
	// goes through the last child that is not after it.
	for i := uint32(1); i != at; {
		for c := d.nodes[i].first; c != 0 && c <= at; c = d.nodes[c].next {
			i = c
		}
		way = append(way, i)
	}
	return way
}

// climb returns the way to at with the room for the nodes after it.
func (d *Doc) climb(at uint32, length int) []uint32 {
	var way []uint32
	switch up := d.links[at].up; {
	case at == 1:
		way = make([]uint32, 0, length)
	case up == 0:
		return nil
	default:
		if way = d.climb(up, length+1); way == nil {
			return nil
		}
	}
	return append(way, at)
}
