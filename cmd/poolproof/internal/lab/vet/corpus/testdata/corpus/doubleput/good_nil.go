package doubleput

// A nil pointer is no object: its methods return at once.

func (l *link) end() {
	if l == nil {
		return
	}
	l.text = nil
	links.Put(l)
}

func endNothing(visit func(func())) {
	var l *link
	visit(func() { println(l != nil) })
	l.end()
	l.end() // fine "PV002" there is none
}

func endCleared(visit func(func())) {
	var l *link
	visit(func() { l = nil })
	l.end()
	l.end() // fine "PV002" there is none
}
