package misuse

import (
	"bytes"
	"testing"

	"github.com/poolproof/poolproof/pool"
)

type request struct {
	user string
	body [256]byte
	n    int
}

var (
	requests = pool.New(pool.Options[request]{Reset: func(r *request) { *r = request{} }})
	careless = pool.New(pool.Options[request]{})
	texts    = pool.New(pool.Options[bytes.Buffer]{Reset: (*bytes.Buffer).Reset})
)

// form: pool: the object is read after Put
// hands on
func TestPoolReadAfterPut(t *testing.T) {
	defer begin(t)()
	r := requests.Get()
	r.n = 1
	requests.Put(r)
	sink = r.n
}

// form: pool: the object is written after Put
// hands on
func TestPoolWriteAfterPut(t *testing.T) {
	defer begin(t)()
	r := requests.Get()
	requests.Put(r)
	r.n = 3
}

// form: pool: the object is put twice
// hands on
func TestPoolPutTwice(t *testing.T) {
	defer begin(t)()
	r := requests.Get()
	requests.Put(r)
	requests.Put(r)
	a, b := requests.Get(), requests.Get()
	a.n = 1
	b.n = 2
	requests.Put(a)
	requests.Put(b)
}

func render(name string) []byte {
	b := texts.Get()
	defer texts.Put(b)
	b.WriteString("hello ")
	b.WriteString(name)
	return b.Bytes()
}

// form: pool: a part of the object is returned under a deferred Put
// hands on
func TestPoolPartReturned(t *testing.T) {
	defer begin(t)()
	page := render("gopher")
	sink = int(page[1])
}

// form: pool: the object is kept by the function of With
// hands on
func TestPoolWithKeeps(t *testing.T) {
	defer begin(t)()
	var kept *request
	requests.With(func(r *request) { kept = r })
	kept.n = 2
}

// form: pool: a goroutine uses the object after Put
// hands on
func TestPoolGoroutine(t *testing.T) {
	defer begin(t)()
	r := requests.Get()
	put, done := make(chan bool), make(chan bool)
	go func() {
		<-put
		r.n = 5
		close(done)
	}()
	requests.Put(r)
	close(put)
	<-done
}

// form: pool: an object is never put
func TestPoolNoPut(t *testing.T) {
	defer begin(t)()
	r := requests.Get()
	r.n = 1
}

func greet(user string) string {
	r := careless.Get()
	defer careless.Put(r)
	if user != "" {
		r.user = user
	}
	return "hello " + r.user
}

// form: pool: nothing is cleared, and the next owner reads what was left
// hands on
func TestPoolNothingCleared(t *testing.T) {
	defer begin(t)()
	greet("root")
	if got := greet(""); got != "hello " {
		t.Error(got)
	}
}

// form: pool.Local: the object is put twice
// hands on
func TestLocalPutTwice(t *testing.T) {
	defer begin(t)()
	l := requests.Local(4)
	defer l.Close()
	r := l.Get()
	l.Put(r)
	l.Put(r)
	a, b := l.Get(), l.Get()
	a.n, b.n = 1, 2
	l.Put(a)
	l.Put(b)
}
