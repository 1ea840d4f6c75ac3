package hotswap

import "github.com/poolproof/poolproof/hotswap"

// Swapped is the arm hotswap: package hotswap of this repository. Readers are
// counted in shards, each on a cache line of its own. A Table that nobody reads
// any more is kept by a pointer, and emptied by the writer who fills it next.
type Swapped struct {
	tables  *hotswap.Pool[Table]
	current *hotswap.Container[Table]
}

// NewSwapped returns a Swapped whose first Table fill has filled.
func NewSwapped(fill func(*Table)) *Swapped {
	s := &Swapped{}
	s.tables = hotswap.NewPool(hotswap.Options[Table]{
		New:   func() *Table { return &Table{} },
		Reset: func(t *Table) bool { t.Reset(); return true },
		Keep:  2, // one for each writer of the benchmarks
	})
	s.current = hotswap.New(s.tables)
	s.Replace(fill)
	return s
}

// Lookup implements Container.
func (s *Swapped) Lookup(keys []string) (sum int) {
	for _, key := range keys {
		t := s.current.Acquire()
		sum += weight(t.Value().Find(key))
		t.Release()
	}
	return sum
}

// Read implements Container.
func (s *Swapped) Read(look func(*Table)) { s.current.Do(look) }

// Replace implements Container.
func (s *Swapped) Replace(fill func(*Table)) {
	t := s.tables.Get()
	fill(t.Value())
	if err := s.current.Update(&t); err != nil {
		panic(err) // t is of this pool and unused, and nothing is ever closed
	}
}

// Made implements Container.
func (s *Swapped) Made() int { return int(s.tables.Stats().News) }

// Current returns the container of package hotswap that s consists of.
func (s *Swapped) Current() *hotswap.Container[Table] { return s.current }

// Reader returns a reader for one goroutine, which keeps its hold from one
// lookup to the next.
func (s *Swapped) Reader() *SwappedReader {
	return &SwappedReader{reader: s.current.Reader()}
}

// SwappedReader reads the Tables of a Swapped. It is for one goroutine.
type SwappedReader struct{ reader hotswap.Reader[Table] }

// Lookup is the Lookup of a Container.
func (r *SwappedReader) Lookup(keys []string) (sum int) {
	for _, key := range keys {
		sum += weight(r.reader.Load().Find(key))
	}
	return sum
}

// Release ends the hold on the Table that was read last.
func (r *SwappedReader) Release() { r.reader.Release() }
