package doubleput

func putOnceLater(text string) int {
	l := links.Get().(*link)
	l.text = append(l.text, text...)
	n := len(l.text)
	later(l, n) // fine "PV002" the only put
	return n
}

func putOnceInTurns(text string) {
	l := links.Get().(*link)
	l.text = append(l.text, text...)
	even(l, len(text)) // fine "PV006" one of the two puts it
}

func putIfOdd(n int) {
	l := links.Get().(*link)
	rarely(l, n)
	if n%2 == 1 {
		links.Put(l) // fine "PV002" rarely has not
	}
}
