package poolpeers

import (
	"context"
	"sync"

	"github.com/jackc/puddle/v2"
	commons "github.com/jolestar/go-commons-pool/v2"
	"github.com/poolproof/poolproof/pool"
)

// Item is the object that is kept: 64 bytes, and a slice to be emptied.
type Item struct {
	Words [5]uint64
	List  []byte
}

func (x *Item) use() {
	x.Words[0]++
	x.List = append(x.List, 1)
}

func (x *Item) reset() {
	x.Words = [5]uint64{}
	x.List = x.List[:0]
}

// Peer is one way of keeping Items.
type Peer struct {
	Name   string
	Module string // empty for what Go brings
	Resets bool   // an Item comes back empty
	Single bool   // a worker has an own handle, and no two may use one at a time
	New    func() Worker
}

// Worker is the loop of one goroutine. Unless the Peer is Single it is
// safe for concurrent use.
type Worker interface {
	// Pairs gets an Item, calls see if it is not nil, uses the Item and puts it,
	// n times.
	Pairs(n int, see func(*Item))
}

// Peers are all that are compared; the first is what the others are measured by.
var Peers = []Peer{
	{Name: "sync", New: func() Worker { return &syncPool{sync.Pool{New: newItem}} }},
	{Name: "sync,reset", Resets: true, New: func() Worker { return &syncReset{sync.Pool{New: newItem}} }},
	{Name: "channel", New: func() Worker { return channel(make(chan *Item, 64)) }},
	{Name: "puddle", Module: "github.com/jackc/puddle/v2", New: newPuddle},
	{Name: "commons", Module: "github.com/jolestar/go-commons-pool/v2", New: newCommons},
	{Name: "ours", Module: module, New: func() Worker { return ours{pool.New(pool.Options[Item]{})} }},
	{Name: "ours,reset", Module: module, Resets: true, New: func() Worker {
		return ours{pool.New(pool.Options[Item]{Reset: (*Item).reset})}
	}},
	{Name: "ours,reset,max", Module: module, Resets: true, New: func() Worker {
		return ours{pool.New(pool.Options[Item]{Reset: (*Item).reset, Size: func(x *Item) int { return cap(x.List) }, MaxSize: 64 << 10})}
	}},
	{Name: "ours,local", Module: module, Single: true, New: func() Worker {
		return local{pool.New(pool.Options[Item]{}).Local(16)}
	}},
}

const module = "github.com/poolproof/poolproof/pool"

func newItem() any { return new(Item) }

type syncPool struct{ pool sync.Pool }

func (p *syncPool) Pairs(n int, see func(*Item)) {
	for range n {
		x := p.pool.Get().(*Item)
		if see != nil {
			see(x)
		}
		x.use()
		x.List = x.List[:0]
		p.pool.Put(x)
	}
}

type syncReset struct{ pool sync.Pool }

func (p *syncReset) Pairs(n int, see func(*Item)) {
	for range n {
		x := p.pool.Get().(*Item)
		if see != nil {
			see(x)
		}
		x.use()
		x.reset()
		p.pool.Put(x)
	}
}

// channel is a free list of up to 64 Items.
type channel chan *Item

func (c channel) Pairs(n int, see func(*Item)) {
	for range n {
		var x *Item
		select {
		case x = <-c:
		default:
			x = new(Item)
		}
		if see != nil {
			see(x)
		}
		x.use()
		x.List = x.List[:0]
		select {
		case c <- x:
		default:
		}
	}
}

type puddles struct{ pool *puddle.Pool[*Item] }

func newPuddle() Worker {
	p, err := puddle.NewPool(&puddle.Config[*Item]{
		Constructor: func(context.Context) (*Item, error) { return new(Item), nil },
		Destructor:  func(*Item) {},
		MaxSize:     64,
	})
	if err != nil {
		panic(err) // the configuration is a constant
	}
	return puddles{p}
}

func (p puddles) Pairs(n int, see func(*Item)) {
	for range n {
		r, err := p.pool.Acquire(context.Background())
		if err != nil {
			panic(err) // the pool is not closed, the context not cancelled
		}
		x := r.Value()
		if see != nil {
			see(x)
		}
		x.use()
		x.List = x.List[:0]
		r.Release()
	}
}

type common struct{ pool *commons.ObjectPool }

func newCommons() Worker {
	config := commons.NewDefaultPoolConfig()
	config.MaxTotal, config.MaxIdle = 64, 64
	return common{commons.NewObjectPool(context.Background(),
		commons.NewPooledObjectFactorySimple(func(context.Context) (any, error) { return new(Item), nil }), config)}
}

func (p common) Pairs(n int, see func(*Item)) {
	ctx := context.Background()
	for range n {
		o, err := p.pool.BorrowObject(ctx)
		if err != nil {
			panic(err) // it waits for one
		}
		x := o.(*Item)
		if see != nil {
			see(x)
		}
		x.use()
		x.List = x.List[:0]
		if err := p.pool.ReturnObject(ctx, x); err != nil {
			panic(err)
		}
	}
}

type ours struct{ pool *pool.Pool[Item] }

func (p ours) Pairs(n int, see func(*Item)) {
	for range n {
		x := p.pool.Get()
		if see != nil {
			see(x)
		}
		x.use()
		x.List = x.List[:0]
		p.pool.Put(x)
	}
}

type local struct{ local *pool.Local[Item] }

func (l local) Pairs(n int, see func(*Item)) {
	for range n {
		x := l.local.Get()
		if see != nil {
			see(x)
		}
		x.use()
		x.List = x.List[:0]
		l.local.Put(x)
	}
}
