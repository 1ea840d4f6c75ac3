package arrowlog

import "hash/maphash"

// dictionaries decides which columns get a dictionary.
type dictionaries struct {
	use     []bool // by column
	flushes int
	seen    map[uint64]struct{}
	seed    maphash.Seed
}

const (
	sampled    = 512 // values of a column that are looked at
	lookAgain  = 8   // flushes between two looks at the same columns
	dictionary = 0.5 // below this share of different values a column gets one
	plain      = 0.7 // above this share it loses it
)

// decide brings use up to date for the columns of b.
func (d *dictionaries) decide(mode Dictionary, b *Batch) {
	known := len(d.use)
	for len(d.use) < len(b.columns) {
		d.use = append(d.use, false)
	}
	switch {
	case mode == DictionaryNone:
		return
	case mode == DictionaryLow:
		for i, c := range b.columns[known:] {
			d.use[known+i] = c.LowCardinality && c.isText()
		}
		return
	}
	again := d.flushes%lookAgain == 0
	d.flushes++
	for i, c := range b.columns {
		if !c.isText() || !again && i < known {
			continue
		}
		switch share, ok := d.share(c); {
		case !ok:
		case share < dictionary:
			d.use[i] = true
		case share > plain:
			d.use[i] = false
		}
	}
}

// share returns the share of different values among samples of a column, or false
// if there are too few to tell.
func (d *dictionaries) share(c *column) (float64, bool) {
	if d.seen == nil {
		d.seen = make(map[uint64]struct{}, sampled)
		d.seed = maphash.MakeSeed()
	}
	clear(d.seen)
	looked := 0
	for row := 0; row < c.rows && looked < sampled; row++ {
		if c.isValid(row) {
			d.seen[maphash.Bytes(d.seed, c.at(row))] = struct{}{}
			looked++
		}
	}
	if looked < 16 {
		return 0, false
	}
	return float64(len(d.seen)) / float64(looked), true
}
