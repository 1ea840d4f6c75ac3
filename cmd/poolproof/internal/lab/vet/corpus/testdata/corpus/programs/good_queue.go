package programs

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
)

// 1. A queue of jobs: submit hands a job over, the worker ends it.

type job struct {
	payload []byte
	done    chan error
	next    *job
}

var jobs = sync.Pool{New: func() any { return &job{done: make(chan error, 1)} }}

type queue struct {
	mu    sync.Mutex
	cond  *sync.Cond
	head  *job
	tail  *job
	ended bool
}

func (q *queue) submit(ctx context.Context, p []byte) error {
	j := jobs.Get().(*job)
	j.payload = append(j.payload[:0], p...)
	j.next = nil
	q.mu.Lock()
	if q.ended {
		q.mu.Unlock()
		jobs.Put(j)
		return errors.New("ended")
	}
	if q.tail == nil {
		q.head, q.tail = j, j
	} else {
		q.tail.next, q.tail = j, j
	}
	q.cond.Signal()
	q.mu.Unlock()
	select {
	case err := <-j.done: // fine "PV001" the worker answers on the channel of the job, which is still this caller's
		jobs.Put(j) // fine "PV002|PV021" this caller got it, and the worker has let go of it
		return err
	case <-ctx.Done():
		return ctx.Err() // fine "PV005" the worker has it still
	}
}

func (q *queue) work(handle func([]byte) error) {
	for {
		q.mu.Lock()
		for q.head == nil && !q.ended {
			q.cond.Wait()
		}
		j := q.head
		if j == nil {
			q.mu.Unlock()
			return
		}
		q.head = j.next
		if q.head == nil {
			q.tail = nil
		}
		q.mu.Unlock()
		j.done <- handle(j.payload) // fine "PV001" the job comes from the queue, and its end is the caller's
	}
}

// 2. A message counted by its readers, who all end it.

type frame struct {
	refs atomic.Int64
	body bytes.Buffer
	home *sync.Pool
}

var frames = &sync.Pool{}

func init() { frames.New = func() any { return &frame{home: frames} } }

func newFrame(n int) *frame {
	f := frames.Get().(*frame)
	f.body.Reset()
	f.refs.Store(int64(n))
	return f
}

func (f *frame) unref() {
	if n := f.refs.Add(-1); n == 0 {
		f.home.Put(f)
	} else if n < 0 {
		panic("frame: too many unrefs")
	}
}

func broadcast(text string, outs []chan<- *frame) {
	f := newFrame(len(outs) + 1)
	defer f.unref() // fine "PV001|PV004" the count is one more than the readers
	f.body.WriteString(text)
	for _, o := range outs {
		select {
		case o <- f: // fine "PV004" each reader has a count of its own
		default:
			f.unref() // fine "PV002" a frame that is not sent loses its count
		}
	}
	_ = f.body.Len() // fine "PV001" the last count is this function's until it returns
}

func consume(in <-chan *frame, w io.Writer) error {
	for f := range in {
		_, err := w.Write(f.body.Bytes())
		f.unref()
		if err != nil {
			return err // fine "PV001" the frame is not used after its count is given back
		}
	}
	return nil
}

// 3. A handler with a struct that carries two pooled things, ended by one method.

type exchange struct {
	in  *bytes.Buffer
	out *bytes.Buffer
	w   http.ResponseWriter
}

var (
	texts     = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	exchanges = sync.Pool{New: func() any { return new(exchange) }}
)

func begin(w http.ResponseWriter, r *http.Request) (x *exchange, err error) {
	x = exchanges.Get().(*exchange)
	defer func() {
		if err != nil {
			x.end() // fine "PV002" the failed exchange is ended here alone
			x = nil
		}
	}()
	x.w = w
	x.in = texts.Get().(*bytes.Buffer)
	x.out = texts.Get().(*bytes.Buffer)
	if _, err = x.in.ReadFrom(r.Body); err != nil {
		return nil, err // fine "PV003|PV005" nil is returned with the error
	}
	return x, nil // fine "PV003" on success nothing is put
}

func (x *exchange) end() {
	for _, b := range [...]**bytes.Buffer{&x.in, &x.out} {
		if *b == nil {
			continue
		}
		(*b).Reset()
		texts.Put(*b)
		*b = nil // fine "PV015" the field is emptied through the pointer
	}
	x.w = nil
	exchanges.Put(x) // fine "PV015" the pooled fields are empty by then
}

func serve(w http.ResponseWriter, r *http.Request) {
	x, err := begin(w, r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	defer x.end()
	x.out.Write(bytes.ToUpper(x.in.Bytes()))
	_, _ = x.w.Write(x.out.Bytes()) // fine "PV001" the deferred end runs after this
}
