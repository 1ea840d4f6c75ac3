package programs

import (
	"slices"
	"strings"
)

// The right form of each of the four misuses that the first run did not find, beside
// which they look alike.

// 13. The method value ends the session, and the method is not called.

func visitOnce(names []string) (n int) {
	s, end := open()
	defer end() // fine "PV002" the only end of this session
	for _, name := range names {
		s.log.WriteString(name)
	}
	return s.log.Len() // fine "PV001" the deferred end comes later
}

// 14. The body of a range over a function puts before it leaves for the next line.

func countAll(lines []string) (n int) {
lines:
	for _, l := range lines {
		r := rows.Get().(*row) // fine "PV005" put on both ways out of the inner loop
		r.cells = r.cells[:0]
		for c := range strings.SplitSeq(l, ",") {
			if strings.HasPrefix(c, "#") {
				rows.Put(r)
				continue lines
			}
			r.cells = append(r.cells, c)
		}
		n += len(r.cells)
		rows.Put(r)
	}
	return n
}

// 15. The length is read before the interface's put.

func measureFirst[T interface{ Len() int }](l lender[T], f func(T)) int {
	v := l.get()
	f(v)
	n := v.Len()
	l.put(v) // fine "PV001" nothing is read afterwards
	return n
}

// 16. The map keeps copies, and another one that stays here has the rows.

func indexCopies(lines []string) map[string][]string {
	m := make(map[string][]string, len(lines))
	seen := make(map[string]*row, len(lines))
	for _, l := range lines {
		r := rows.Get().(*row)
		r.cells = append(r.cells[:0], l)
		seen[l] = r // fine "PV004" the map is not returned
		m[l] = slices.Clone(r.cells)
	}
	for _, r := range seen {
		rows.Put(r)
	}
	return m
}
