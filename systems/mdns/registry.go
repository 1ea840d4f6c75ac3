package mdns

import (
	"slices"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// registry has the claims of a node by the names of their records, so that what a
// packet costs does not depend on how many there are.
type registry struct {
	claims []*claim
	names  map[message.Name]*claim     // by the folded name that is theirs alone
	shared map[message.Name]*sharedSet // by the folded name that others may have too
}

// sharedSet is the shared records of a name.
type sharedSet struct {
	order  []*sharedRecord
	byData map[string]*sharedRecord
}

// sharedRecord is a record that one or more claims have.
type sharedRecord struct {
	data   string
	owners []sharedOwner
}

type sharedOwner struct {
	claim    *claim
	resource message.Resource
}

func newRegistry() registry {
	return registry{names: map[message.Name]*claim{}, shared: map[message.Name]*sharedSet{}}
}

// taken reports whether a claim of this node other than c has a name.
func (g *registry) taken(name message.Name, c *claim) bool {
	o := g.names[name.Fold()]
	return o != nil && o != c
}

// put adds a claim, or follows its change of names.
func (g *registry) put(c *claim) {
	if c.listed == "" {
		g.claims = append(g.claims, c)
	}
	g.unlist(c)
	c.listed = c.name.Fold()
	g.names[c.listed] = c
	for _, r := range c.shared {
		g.list(c, r)
	}
	c.listedShared = c.shared
}

// remove removes a claim.
func (g *registry) remove(c *claim) {
	g.unlist(c)
	g.claims = slices.DeleteFunc(g.claims, func(d *claim) bool { return c == d })
}

func (g *registry) list(c *claim, r message.Resource) {
	key := r.Name.Fold()
	set := g.shared[key]
	if set == nil {
		set = &sharedSet{byData: map[string]*sharedRecord{}}
		g.shared[key] = set
	}
	s := set.byData[r.Data]
	if s == nil {
		s = &sharedRecord{data: r.Data}
		set.byData[r.Data] = s
		set.order = append(set.order, s)
	}
	s.owners = append(s.owners, sharedOwner{c, r})
}

func (g *registry) unlist(c *claim) {
	if c.listed != "" && g.names[c.listed] == c {
		delete(g.names, c.listed)
	}
	for _, r := range c.listedShared {
		key := r.Name.Fold()
		set := g.shared[key]
		s := set.byData[r.Data]
		i := slices.IndexFunc(s.owners, func(o sharedOwner) bool { return o.claim == c })
		s.owners = slices.Delete(s.owners, i, i+1)
		if len(s.owners) == 0 {
			delete(set.byData, r.Data)
			set.order = slices.DeleteFunc(set.order, func(o *sharedRecord) bool { return o == s })
		}
		if len(set.order) == 0 {
			delete(g.shared, key)
		}
	}
	c.listedShared = nil
}

// ownedAt returns the record of an owner whose name is ours at a place.
func (s *sharedRecord) ownedAt(at place) (o sharedOwner, ok bool) {
	if s == nil {
		return o, false
	}
	i := slices.IndexFunc(s.owners, func(o sharedOwner) bool { return o.claim.ownedAt(at) })
	if i < 0 {
		return o, false
	}
	return s.owners[i], true
}

// find returns our record at a place that has a folded name, a type and data.
func (g *registry) find(at place, folded []byte, t message.Type, data []byte) (r message.Resource, ok bool) {
	if c := g.names[message.Name(folded)]; c != nil && c.ownedAt(at) {
		for _, r := range c.unique(at.ifIndex) {
			if r.Type == t && r.Data == string(data) {
				return r, true
			}
		}
	}
	if set := g.shared[message.Name(folded)]; set != nil && t == message.TypePTR {
		if o, ok := set.byData[string(data)].ownedAt(at); ok {
			return o.resource, true
		}
	}
	return r, false
}

// has reports whether a claim that is ours at a place has the record.
func (g *registry) has(at place, r message.Resource) bool {
	_, ok := g.find(at, []byte(r.Name.Fold()), r.Type, []byte(r.Data))
	return ok
}
