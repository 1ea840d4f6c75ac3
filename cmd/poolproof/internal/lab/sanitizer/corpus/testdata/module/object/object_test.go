// Package object holds misuses of pooled structs by their fields.
package object

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
)

type request struct {
	id    int
	tries int
	host  string
	sum   [8]uint64
}

func (r *request) add(n int) { r.tries += n }

var requests = sync.Pool{New: func() any { return new(request) }}

func get(id int) *request {
	r := requests.Get().(*request)
	*r = request{id: id, host: "example.org"}
	return r
}

var (
	number int
	boxed  any
)

// A field is read after Put.
//
//want:exact read-after-put
func TestFieldIsReadAfterPut(t *testing.T) {
	r := get(1)
	requests.Put(r)
	if r.id != 1 {
		t.Log("the request is somebody else's")
	}
}

// A field is written after Put.
//
//want:exact write-after-put
//want:fast write-after-put
func TestFieldIsWrittenAfterPut(t *testing.T) {
	r := get(2)
	requests.Put(r)
	r.id = 3
}

// The object is cleaned after Put in place of before.
//
//want:exact write-after-put
//want:fast write-after-put
func TestResetComesAfterPut(t *testing.T) {
	r := get(4)
	number = r.id
	requests.Put(r)
	*r = request{}
}

// An address inside of the object outlives it.
//
//want:exact read-after-put
func TestAddressOfAFieldOutlivesThePut(t *testing.T) {
	tries := func() *int {
		r := get(5)
		defer requests.Put(r)
		r.tries = 7
		return &r.tries
	}()
	number = *tries
}

// A method value keeps the object.
//
//want:exact write-after-put read-after-put?
//want:fast write-after-put
func TestMethodValueIsCalledAfterPut(t *testing.T) {
	r := get(6)
	add := r.add
	requests.Put(r)
	add(1)
}

// An element of an array field is written after Put.
//
//want:exact write-after-put
//want:fast write-after-put
func TestElementOfAnArrayFieldIsWrittenAfterPut(t *testing.T) {
	r := get(8)
	sum := r.sum[:]
	requests.Put(r)
	for i := range sum {
		sum[i] = uint64(i) + 1
	}
}

// A loop over an array field runs after Put.
//
//want:exact read-after-put
func TestLoopOverAnArrayFieldAfterPut(t *testing.T) {
	r := get(9)
	requests.Put(r)
	for _, s := range &r.sum {
		number += int(s)
	}
}

// The whole object is copied into a local variable after Put. The compiler's
// memory instrumentation has no hook for what is moved to the stack.
//
//want:exact unseen
//want:fast unseen
func TestObjectIsCopiedAfterPut(t *testing.T) {
	r := get(10)
	requests.Put(r)
	copied := *r
	number = copied.id
}

// The object is put into an interface, by value, after Put.
//
//want:exact read-after-put
//want:fast read-after-put
func TestObjectIsBoxedAfterPut(t *testing.T) {
	r := get(11)
	requests.Put(r)
	boxed = *r
}

// Reflection reads a field after Put.
//
//want:exact read-after-put
func TestReflectionReadsAFieldAfterPut(t *testing.T) {
	r := get(12)
	field := reflect.ValueOf(r).Elem().Field(0)
	requests.Put(r)
	number = int(field.Int())
}

// Reflection sets a field after Put.
//
//want:exact write-after-put
//want:fast write-after-put
func TestReflectionSetsAFieldAfterPut(t *testing.T) {
	type exported struct{ ID, Tries int }
	pool := sync.Pool{New: func() any { return new(exported) }}
	r := pool.Get().(*exported)
	field := reflect.ValueOf(r).Elem().Field(1)
	pool.Put(r)
	field.SetInt(3)
}

// failure is an error that keeps the pooled object.
type failure struct{ r *request }

func (f failure) Error() string { return fmt.Sprint("request ", f.r.id, " failed") }

func do() error {
	r := get(13)
	defer requests.Put(r)
	return failure{r}
}

// An error keeps the object and is printed after Put.
//
//want:exact read-after-put
func TestErrorKeepsTheObject(t *testing.T) {
	err := do()
	t.Log(err.Error())
}

// The error path and the normal path both put.
//
//want:exact double-put
//want:fast double-put
func TestErrorPathPutsAgain(t *testing.T) {
	err := func() error {
		r := get(14)
		defer requests.Put(r)
		if err := errors.New("refused"); r.id == 14 {
			requests.Put(r)
			return err
		}
		return nil
	}()
	t.Log(err)
}

// One object is put into two pools.
//
//want:exact double-put
//want:fast double-put
func TestObjectIsPutIntoTwoPools(t *testing.T) {
	var other sync.Pool
	r := get(15)
	requests.Put(r)
	other.Put(r)
}

// A batch has one object twice.
//
//want:exact double-put
//want:fast double-put
func TestBatchHasAnObjectTwice(t *testing.T) {
	batch := []*request{get(16), get(17)}
	batch = append(batch, batch[0])
	for _, r := range batch {
		requests.Put(r)
	}
}

type conn struct {
	buf  [64]byte
	pool *sync.Pool
}

func (c *conn) Close() error { c.pool.Put(c); return nil }

// Close is called twice; the second call already reads what it must not.
//
//want:exact double-put read-after-put
//want:fast double-put
func TestCloseIsCalledTwice(t *testing.T) {
	pool := &sync.Pool{}
	pool.New = func() any { return &conn{pool: pool} }
	c := pool.Get().(*conn)
	c.Close()
	c.Close()
}

// tree is an object with a part of a type of its own.
type tree struct {
	root leaf
	n    int
}

type leaf struct{ weight, height int }

var trees = sync.Pool{New: func() any { return new(tree) }}

// A part of an object is used after the object was put.
//
//want:exact write-after-put
//want:fast write-after-put
func TestPartIsWrittenAfterTheWholeWasPut(t *testing.T) {
	x := trees.Get().(*tree)
	part := &x.root
	trees.Put(x)
	part.height = 3
}

// node is a member of a list that is threaded through its members.
type node struct {
	next  *node
	value int
}

// A member of a list is put while the list still has it.
//
//want:exact read-after-put
func TestMemberOfAListIsPut(t *testing.T) {
	nodes := sync.Pool{New: func() any { return new(node) }}
	var head *node
	for i := range 3 {
		n := nodes.Get().(*node)
		n.value, n.next = i, head
		head = n
	}
	nodes.Put(head.next) // not unlinked
	sum := 0
	for n := head; n != nil; n = n.next {
		sum += n.value
	}
	if sum != 3 {
		t.Log("the sum is", sum)
	}
}

type counted struct {
	refs atomic.Int64
	_    [7]int64
}

// Atomic operations are not instrumented, so that this cannot be seen: see the
// limits in the documentation.
//
//want:exact unseen
//want:fast unseen
func TestAtomicIsWrittenAfterPut(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(counted) }}
	c := pool.Get().(*counted)
	pool.Put(c)
	c.refs.Add(1)
}

type locked struct {
	mu sync.Mutex
	n  [6]int
}

// Unlock is an atomic operation too.
//
//want:exact unseen
//want:fast unseen
func TestUnlockComesAfterPut(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(locked) }}
	l := pool.Get().(*locked)
	l.mu.Lock()
	l.n[0]++
	pool.Put(l)
	l.mu.Unlock()
}

// large has pages of the heap to itself, and does not fill the last one.
type large struct {
	id   int
	page [40_000]byte
}

var larges = sync.Pool{New: func() any { return new(large) }}

// A large object is written after Put.
//
//want:exact write-after-put
//want:fast write-after-put
func TestLargeObjectIsWrittenAfterPut(t *testing.T) {
	l := larges.Get().(*large)
	larges.Put(l)
	l.page[100] = 1
}
