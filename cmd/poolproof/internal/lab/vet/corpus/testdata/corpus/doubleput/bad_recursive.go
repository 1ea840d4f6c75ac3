package doubleput

import "sync"

// Functions that end in themselves.

type link struct {
	next *link
	text []byte
}

var links = sync.Pool{New: func() any { return new(link) }}

// later puts a link after some rounds.
func later(l *link, rounds int) {
	if rounds > 0 {
		later(l, rounds-1)
		return
	}
	l.text = l.text[:0]
	links.Put(l)
}

// even and odd take turns.
func even(l *link, n int) {
	if n == 0 {
		links.Put(l)
		return
	}
	odd(l, n-1)
}

func odd(l *link, n int) {
	if n == 0 {
		l.text = nil
		links.Put(l)
		return
	}
	even(l, n-1)
}

// rarely puts it only if the number is even.
func rarely(l *link, n int) {
	switch {
	case n == 0:
		links.Put(l)
	case n > 1:
		rarely(l, n-2)
	}
}

func putLater(text string) {
	l := links.Get().(*link)
	l.text = append(l.text, text...)
	later(l, 3)
	links.Put(l) // want "PV002"
}

func putInTurns(text string, n int) int {
	l := links.Get().(*link)
	l.text = append(l.text, text...)
	odd(l, n)
	return len(string(l.text)) // want "PV001"
}
