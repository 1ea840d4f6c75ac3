package finding

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

// Pool counts the uses of the pools of one type at one Get site, in all processes.
type Pool struct {
	Type   string       `json:"type"`
	Site   record.Frame `json:"site"` // of the Get
	Puts   int64        `json:"puts"`
	Gets   int64        `json:"gets"`
	Hits   int64        `json:"hits"` // that the real pool would have had
	Leaked int64        `json:"leaked"`
	Bytes  int64        `json:"bytes"`  // of what was leaked or put, with the arrays that are followed
	Others int64        `json:"others"` // of what fields of what was put refer to and what is not followed

	getter record.Frame // what calls sync.Pool.Get for Site, if that is code of the standard library
}

// Pools sums up over processes, the most leaks first.
func Pools(l *record.Log, s *Sites) []Pool {
	var all []Pool
	for _, p := range l.Processes {
		for _, r := range p.Pools {
			stack := s.resolve(r.Get)
			site := s.Lead(stack)
			i := slices.IndexFunc(all, func(q Pool) bool { return q.Site == site && q.Type == r.Type })
			if i < 0 {
				i, all = len(all), append(all, Pool{Type: r.Type, Site: site, getter: s.stdGetter(stack)})
			}
			all[i].add(Pool{Puts: r.Puts, Gets: r.Gets, Hits: r.Hits, Leaked: r.Leaked, Bytes: r.Bytes, Others: r.Others})
		}
	}
	sortPools(all)
	return all
}

func (q *Pool) add(o Pool) {
	q.Puts += o.Puts
	q.Gets += o.Gets
	q.Hits += o.Hits
	q.Leaked += o.Leaked
	q.Bytes += o.Bytes
	q.Others += o.Others
}

// Coverage is how much of what was put into the pools of a program is followed.
type Coverage struct {
	Puts  int64
	Bytes int64 // of the objects and of the arrays that belong to them
	All   int64 // with the arrays in their fields that are not known to belong to them
}

// Covered sums up pools but those of the standard library.
func Covered(pools []Pool) (c Coverage) {
	for _, q := range pools {
		if q.getter == (record.Frame{}) && !strings.HasPrefix(q.Type, "*fmt.") {
			c.Puts += q.Puts
			c.Bytes += q.Bytes
			c.All += q.Bytes + q.Others
		}
	}
	return c
}

// String is a sentence without its end.
func (c Coverage) String() string {
	words := fmt.Sprintf("%d Puts seen", c.Puts)
	if c.Puts == 1 {
		words = "1 Put seen"
	}
	if c.All == 0 {
		return words
	}
	return words + fmt.Sprintf(", %s of the bytes of pooled objects and of what their fields refer to followed", share(c.Bytes, c.All))
}

func sortPools(all []Pool) {
	slices.SortStableFunc(all, func(a, b Pool) int {
		return cmp.Or(cmp.Compare(b.Leaked, a.Leaked), cmp.Compare(b.Gets, a.Gets), cmp.Compare(a.Type, b.Type))
	})
}

// folded sums up pools of the standard library over the places that came to
// them: each Sprintf of a program would be a row otherwise. It returns how many
// places there were, too, by the row.
func folded(pools []Pool) (rows []Pool, places []int) {
	for _, q := range pools {
		i := -1
		if q.getter != (record.Frame{}) {
			q.Site = q.getter
			i = slices.IndexFunc(rows, func(r Pool) bool { return r.Type == q.Type && r.getter == q.getter })
		}
		if i < 0 {
			rows = append(rows, q)
			continue
		}
		rows[i].add(q)
	}
	sortPools(rows)
	for _, r := range rows {
		n := 0
		for _, q := range pools {
			if q.Type == r.Type && q.getter == r.getter && r.getter != (record.Frame{}) {
				n++
			}
		}
		places = append(places, n)
	}
	return rows, places
}

// PoolTable writes pools as a table.
func (p *Printer) PoolTable(w io.Writer, pools []Pool) error {
	places := make([]int, len(pools))
	if !p.All {
		pools, places = folded(pools)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "gets\tputs\thits\tleaked\tbytes\t\n")
	for i, q := range pools {
		where := "(no Get)"
		if q.Site.File != "" {
			where = p.at(q.Site)
		}
		if places[i] > 1 {
			where += fmt.Sprintf(", for %d places (-v shows them)", places[i])
		}
		fmt.Fprintf(t, "%d\t%d\t%s\t%d\t%d\t  %s  %s\n", q.Gets, q.Puts, share(q.Hits, q.Gets), q.Leaked, q.Bytes, cmp.Or(q.Type, "nothing"), where)
	}
	return t.Flush()
}

// share is a percentage, without the false precision of small numbers.
func share(part, whole int64) string {
	if whole == 0 {
		return "-"
	}
	return strconv.FormatFloat(100*float64(part)/float64(whole), 'f', 1, 64) + "%"
}
