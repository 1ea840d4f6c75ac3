package finding

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

// Pool is what all processes did with the pools of one type at one Get site.
type Pool struct {
	Type   string       `json:"type"`
	Site   record.Frame `json:"site"` // of the Get
	Puts   int64        `json:"puts"`
	Gets   int64        `json:"gets"`
	Hits   int64        `json:"hits"` // that the real pool would have had
	Leaked int64        `json:"leaked"`
	Bytes  int64        `json:"bytes"`
}

// Pools sums up over processes, the most leaks first.
func Pools(l *record.Log, s *Sites) []Pool {
	var all []Pool
	for _, p := range l.Processes {
		for _, r := range p.Pools {
			site := s.Lead(s.resolve(r.Get))
			i := slices.IndexFunc(all, func(q Pool) bool { return q.Site == site && q.Type == r.Type })
			if i < 0 {
				i, all = len(all), append(all, Pool{Type: r.Type, Site: site})
			}
			q := &all[i]
			q.Puts += r.Puts
			q.Gets += r.Gets
			q.Hits += r.Hits
			q.Leaked += r.Leaked
			q.Bytes += r.Bytes
		}
	}
	slices.SortStableFunc(all, func(a, b Pool) int {
		return cmp.Or(cmp.Compare(b.Leaked, a.Leaked), cmp.Compare(b.Gets, a.Gets), cmp.Compare(a.Type, b.Type))
	})
	return all
}

// PoolTable writes pools as a table.
func (p *Printer) PoolTable(w io.Writer, pools []Pool) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "gets\tputs\thits\tleaked\tbytes\t\n")
	for _, q := range pools {
		where := "(no Get)"
		if q.Site.File != "" {
			where = fmt.Sprintf("%s:%d", p.File(q.Site.File), q.Site.Line)
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
