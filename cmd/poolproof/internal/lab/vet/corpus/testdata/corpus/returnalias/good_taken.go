package returnalias

// An encoder that gives its memory away does not have it any more when it is put.

func (p *page) take() []byte {
	rows := p.rows
	p.rows = nil
	return rows
}

func (p *page) exchange(fresh []byte) []byte {
	rows := p.rows
	p.rows = fresh
	return rows
}

func (p *page) reset() { *p = page{number: p.number} }

func (p *page) bytes() []byte { return p.rows }

func (p *page) finish() []byte {
	rows := p.bytes()
	p.reset()
	return rows
}

func (s *sheet) takeBody() []byte { return s.body.take() }

func renderTaken(rows []string) []byte {
	p := pages.Get().(*page)
	defer pages.Put(p)
	for _, r := range rows {
		p.add(r)
	}
	return p.take() // fine "PV003" the page has let go of it
}

func renderExchanged(rows []string, fresh []byte) []byte {
	p := pages.Get().(*page)
	defer pages.Put(p)
	for _, r := range rows {
		p.add(r)
	}
	return p.exchange(fresh) // fine "PV003" the page has another one
}

func renderFinished(rows []string) []byte {
	p := pages.Get().(*page)
	defer pages.Put(p)
	for _, r := range rows {
		p.add(r)
	}
	return p.finish() // fine "PV003" all of the page is new
}

func renderTakenDirect(rows []string, send func([]byte)) {
	p := pages.Get().(*page)
	for _, r := range rows {
		p.add(r)
	}
	text := p.take()
	pages.Put(p)
	send(text) // fine "PV001" the page has let go of it
}

func renderBody(title string, rows []string) []byte {
	s := sheets.Get().(*sheet)
	defer sheets.Put(s)
	s.title = title
	for _, r := range rows {
		s.body.add(r)
	}
	return s.takeBody() // fine "PV003" the page in the sheet has let go of it
}

// close gives the memory away and puts the page.
func (p *page) close() []byte {
	rows := p.rows
	p.rows = nil
	pages.Put(p)
	return rows // fine "PV001" the page has let go of it
}

func renderClosed(rows []string, send func([]byte)) int {
	p := pages.Get().(*page)
	for _, r := range rows {
		p.add(r)
	}
	text := p.close()
	send(text) // fine "PV001" it was taken out of the page before that was put
	return len(text)
}
