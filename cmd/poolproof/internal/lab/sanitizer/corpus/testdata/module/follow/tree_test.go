package follow

import (
	"sync"
	"testing"

	"corpus/follow/tree"
)

type lease struct{ out []byte }

func (l *lease) reset() { l.out = l.out[:0] }

func (l *lease) render(d *tree.Doc) []byte {
	l.out = d.AppendText(l.out[:0])
	return l.out
}

var leases = sync.Pool{New: func() any { return new(lease) }}

func putLease(l *lease) {
	l.reset()
	leases.Put(l)
}

//want:exact read-after-put
func TestATreeIsAppendedByAnotherPackage(t *testing.T) {
	l := leases.Get().(*lease)
	text := l.render(tree.New())
	putLease(l)
	sink += text[0]
}

//want:silence
func TestATreeIsReadBeforePut(t *testing.T) {
	l := leases.Get().(*lease)
	sink += l.render(tree.New())[0]
	putLease(l)
}

type borrower struct{ out []byte }

var borrowers = sync.Pool{New: func() any { return new(borrower) }}

// The text stays the document's, also while it is in a pooled object.
//
//want:silence
func TestATreeKeepsItsText(t *testing.T) {
	d := tree.New()
	b := borrowers.Get().(*borrower)
	b.out = b.out[:0]
	b.out = d.Text()
	text := b.out
	borrowers.Put(b)
	if text[0] != 'r' || d.Text()[0] != 'r' {
		t.Error(string(text))
	}
}

var links = sync.Pool{New: func() any { return new(tree.Link) }}

// fill writes to the array of the last link of a chain, which is in no pool.
func fill(l *tree.Link, text string) { l.Room = append(l.Last(), text...) }

func fillDeepest(l *tree.Link, text string) { l.Room = append(l.Deepest(), text...) }

//want:silence
func TestTheLastLinkIsNotInThePool(t *testing.T) {
	for _, fill := range []func(*tree.Link, string){fill, fillDeepest} {
		l := links.Get().(*tree.Link)
		last := &tree.Link{Room: make([]byte, 0, 64)}
		l.Next = last
		fill(l, "text")
		l.Next = nil
		links.Put(l)
		if string(last.Room[:4]) != "text" {
			t.Errorf("%q", last.Room[:4])
		}
	}
}
