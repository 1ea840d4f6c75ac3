package returnalias

import "sync"

// An encoder that is put keeps its memory, unless it gives it away.

type page struct {
	rows   []byte
	spare  []byte
	number int
}

type sheet struct {
	title string
	body  page
}

var (
	pages  = sync.Pool{New: func() any { return new(page) }}
	sheets = sync.Pool{New: func() any { return new(sheet) }}
)

func (p *page) add(row string) { p.rows = append(append(p.rows, row...), '\n') }

// cut forgets what there is, and keeps the memory.
func (p *page) cut() []byte {
	rows := p.rows
	p.rows = p.rows[:0]
	return rows
}

// swap gives the wrong one of two away.
func (p *page) swap() []byte {
	rows := p.rows
	p.spare = nil
	return rows
}

// maybe gives it away if it is large.
func (p *page) maybe() []byte {
	rows := p.rows
	if cap(rows) > 4096 {
		p.rows = nil
	}
	return rows
}

func renderCut(rows []string) []byte {
	p := pages.Get().(*page)
	defer pages.Put(p)
	for _, r := range rows {
		p.add(r)
	}
	return p.cut() // want "PV003"
}

func renderSwap(rows []string) []byte {
	p := pages.Get().(*page)
	defer pages.Put(p)
	for _, r := range rows {
		p.add(r)
	}
	return p.swap() // want "PV003"
}

func renderMaybe(rows []string) []byte {
	p := pages.Get().(*page)
	defer pages.Put(p)
	for _, r := range rows {
		p.add(r)
	}
	return p.maybe() // want "PV003"
}

func (s *sheet) text() []byte {
	text := s.body.rows
	s.title = ""
	return text
}

func renderSheet(title string, rows []string) []byte {
	s := sheets.Get().(*sheet)
	defer sheets.Put(s)
	s.title = title
	for _, r := range rows {
		s.body.add(r)
	}
	return s.text() // want "PV003"
}

// last puts the page itself, and gives its memory with it.
func (p *page) last() []byte {
	rows := p.rows
	p.number = 0
	pages.Put(p)
	return rows // want "PV001"
}
