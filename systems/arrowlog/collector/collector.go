// Package collector receives OpenTelemetry logs over OTLP/gRPC and OTLP/HTTP and
// writes them into Parquet or Arrow IPC files.
//
// It loses nothing that it has acknowledged: a request is answered only after its
// logs are in a journal on the disk. The journal goes when the file with the same
// logs is on the disk. After a crash, [New] makes the file of a journal that is
// left. A client that got no answer sends its request again, so logs may come
// twice, as OTLP allows.
//
// Requests, the logs that wait and the file that is being written stay within
// [Options.Memory]. What goes beyond it is refused with an answer that tells the
// client to send it again later, and a request that can never be taken with one that
// tells it not to.
package collector

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/poolproof/poolproof/systems/arrowlog"
	"github.com/poolproof/poolproof/systems/arrowlog/arrowmem"
)

// Options say what a [Collector] writes. The zero value of each but Dir is a good
// one.
type Options struct {
	// Dir is the folder of the files and journals. Only one collector may use it.
	Dir string

	// Encoder says how files are written. A MaxColumns of 0 means 500: what has no
	// column is in the column rest_json.
	Encoder arrowlog.Options

	// Rows, Bytes and Age are the limits of a file, as in [logfiles.Options]. Bytes
	// are at most a 20th of Memory, which 0 means. An Age of 0 means a minute.
	Rows  int
	Bytes int64
	Age   time.Duration

	// IPC writes Arrow IPC files in place of Parquet.
	IPC bool

	// Memory bounds the bytes of requests, logs that wait and files that are being
	// written. 0 means 512 MiB; less than 32 MiB is refused.
	Memory int64

	// Token is the bearer token that clients must send, or empty.
	Token string

	// TLS is how the servers speak TLS. Nil means that they do not.
	TLS *tls.Config

	// Logf is told of each file and of what went wrong. Nil is silent.
	Logf func(format string, args ...any)
}

// The shares of Options.Memory.
const (
	defaultMemory = 512 << 20
	leastMemory   = 32 << 20
	requestShare  = 16 // one request
	flightShare   = 4  // requests: their bytes, decompressed and as messages, until they are collected
	waitShare     = 12 // rows in each of two encoders, at most
	fileShare     = 20 // rows that make a file full; the rest is for writing it, and what is not collected yet
)

const defaultColumns = 500

func (o *Options) complete() error {
	switch {
	case o.Dir == "":
		return errors.New("collector: Options.Dir is empty, want a folder")
	case o.Memory == 0:
		o.Memory = defaultMemory
	case o.Memory < leastMemory:
		return fmt.Errorf("collector: Options.Memory is %d bytes, want %d at least", o.Memory, leastMemory)
	}
	if o.Age == 0 {
		o.Age = time.Minute
	}
	if most := o.Memory / fileShare; o.Bytes == 0 || o.Bytes > most {
		o.Bytes = most
	}
	if o.Encoder.MaxColumns == 0 {
		o.Encoder.MaxColumns = defaultColumns
	}
	o.Encoder.MaxBytes = o.Memory / waitShare
	if o.Encoder.Allocator == nil { // one for both encoders, of which one writes at a time
		o.Encoder.Allocator = arrowmem.NewRecycler(arrowmem.Options{MaxRetained: o.Encoder.MaxBytes})
	}
	o.Encoder.InvalidUTF8 = arrowlog.ReplaceInvalid // what was acknowledged must be writable
	return nil
}

// ErrUnavailable is wrapped by the error of a request that may be sent again
// later, such as when the disk is full. Any other error but [ErrBusy] is the
// request's own fault.
var ErrUnavailable = errors.New("the collector cannot take logs now")

// ErrBusy is wrapped by the error of a request for which there is no memory now. It
// may be sent again later.
var ErrBusy = errors.New("the collector is busy")

// Collector writes the logs of requests. It is safe for concurrent use.
type Collector struct {
	o      Options
	logf   func(string, ...any)
	flight *budget // of the requests that are under way

	lock     io.Closer // of the folder
	requests chan *request
	quit     chan struct{} // closed by Close
	done     chan struct{} // closed when the loop has ended
	once     sync.Once
	end      error

	// The loop has all that follows.
	started  string // part of the names of this run's files
	files    int    // that were begun
	current  *batch // takes logs
	other    *batch // is empty, being written, or could not be written
	written  chan error
	writing  bool
	failed   int // how often other could not be written
	tryAgain time.Time
	broken   error // why no more can be taken
	messages [][]byte
	waiting  []*request
}

// request is a message that waits for its answer.
type request struct {
	message []byte
	answer  chan error
	release func() // gives the memory of the message back
}

func (r *request) reply(err error) {
	r.message = nil
	r.release()
	r.answer <- err
}

// New makes the folder if there is none, removes what a killed process did not finish,
// writes the files of journals that a crash has left, and starts to take requests.
func New(o Options) (*Collector, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	c := &Collector{
		o: o, logf: o.Logf, requests: make(chan *request, 1024), quit: make(chan struct{}), done: make(chan struct{}),
		written: make(chan error, 1), flight: newBudget(o.Memory / flightShare),
	}
	if c.logf == nil {
		c.logf = func(string, ...any) {}
	}
	if err := os.MkdirAll(o.Dir, 0o777); err != nil {
		return nil, fmt.Errorf("collector: %w", err)
	}
	var err error
	if c.lock, err = lockDir(o.Dir); err != nil {
		return nil, fmt.Errorf("collector: %w", err)
	}
	if err := c.open(); err != nil {
		c.lock.Close()
		return nil, fmt.Errorf("collector: %w", err)
	}
	go c.loop()
	return c, nil
}

// open writes what a crash has left and begins the files of this run.
func (c *Collector) open() (err error) {
	if err := c.recover(); err != nil {
		return err
	}
	c.started = time.Now().UTC().Format("20060102T150405.000000")
	for _, b := range []**batch{&c.current, &c.other} {
		if *b, err = c.newBatch(c.o.IPC, c.o.Encoder.MaxBytes); err != nil {
			return err
		}
	}
	c.begin(c.current)
	return nil
}

// begin gives a batch the name of its file.
func (c *Collector) begin(b *batch) {
	c.files++
	b.name = fmt.Sprintf("logs-%s-%06d%s", c.started, c.files, suffix(c.o.IPC))
}

// Ingest takes an ExportLogsServiceRequest in its protobuf encoding and returns
// when its logs are on the disk; message is the caller's again then. The error
// wraps [ErrUnavailable] or [ErrBusy] if the request may be sent again; it is an
// [arrowlog.OTLPError] if the message is malformed. If ctx ends first, Ingest
// returns its error: whether the logs were taken is unknown, and message must not
// be changed any more.
func (c *Collector) Ingest(ctx context.Context, message []byte) error {
	n := int64(len(message))
	if !c.flight.take(n) {
		return fmt.Errorf("collector: a request of %d bytes: %w", n, ErrBusy)
	}
	return c.ingest(ctx, message, func() { c.flight.give(n) })
}

// ingest calls release when message is not used any more.
func (c *Collector) ingest(ctx context.Context, message []byte, release func()) error {
	if err := checkMessage(message); err != nil {
		release()
		return err
	}
	// The loop may work on the message after ctx has ended.
	r := &request{message: message, answer: make(chan error, 1), release: release}
	select {
	case c.requests <- r:
	case <-c.quit:
		release()
		return fmt.Errorf("collector: it is closed: %w", ErrUnavailable)
	case <-ctx.Done():
		release()
		return ctx.Err()
	}
	select {
	case err := <-r.answer:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-c.done:
		select {
		case err := <-r.answer:
			return err
		default:
			return fmt.Errorf("collector: it is closed: %w", ErrUnavailable)
		}
	}
}

// Close answers the requests that wait, writes the last file, and returns what
// went wrong. If the file could not be written its journal stays, and the next New
// writes it.
func (c *Collector) Close() error {
	c.once.Do(func() { close(c.quit) })
	<-c.done
	return c.end
}

// loop owns what is not shared.
func (c *Collector) loop() {
	defer close(c.done)
	tick := time.NewTicker(max(c.o.Age/4, 10*time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case r := <-c.requests:
			c.take(r)
		case err := <-c.written:
			c.wrote(err)
		case now := <-tick.C:
			if c.failed > 0 && !now.Before(c.tryAgain) {
				c.write()
			}
			if c.current.files.Due(now) {
				c.rotate()
			}
		case <-c.quit:
			for {
				select {
				case r := <-c.requests:
					c.take(r)
					continue
				default:
				}
				break
			}
			c.end = errors.Join(c.finish(), c.lock.Close())
			return
		}
	}
}

// finish writes all that waits.
func (c *Collector) finish() error {
	if c.failed > 0 {
		c.write()
	}
	if c.writing {
		c.wrote(<-c.written)
	}
	return errors.Join(c.other.write(c.logf), c.current.write(c.logf))
}

// most is the number of requests that share one write to the disk.
const most = 256

// take adds a request and those that wait with it, and answers them.
func (c *Collector) take(first *request) {
	c.waiting = append(c.waiting[:0], first)
	for len(c.waiting) < most {
		select {
		case r := <-c.requests:
			c.waiting = append(c.waiting, r)
			continue
		default:
		}
		break
	}
	for rest := c.waiting; len(rest) > 0; {
		rest = rest[c.takeSome(rest):]
	}
	clear(c.waiting[:cap(c.waiting)])
	if c.current.files.Full(time.Now()) {
		c.rotate()
	}
}

// takeSome adds requests to the batch at hand, writes them to its journal and answers
// them. It returns how many were answered: fewer than all if the batch is full.
func (c *Collector) takeSome(all []*request) (answered int) {
	c.messages = c.messages[:0]
	var accepted []*request
	encoder := c.current.files.Encoder()
	before := encoder.Rows()
	full := false
	for _, r := range all {
		err := c.add(r)
		if errors.Is(err, arrowlog.ErrTooLarge) && encoder.Rows() > 0 {
			full = true // the next batch has room
			break
		}
		answered++
		if err != nil {
			r.reply(err)
			continue
		}
		accepted = append(accepted, r)
		c.messages = append(c.messages, r.message)
	}
	if len(accepted) > 0 {
		err := c.save()
		clear(c.messages)
		if err != nil {
			encoder.Truncate(before)
		}
		for _, r := range accepted {
			r.reply(err)
		}
	}
	if full && !c.rotate() {
		r := all[answered]
		r.reply(fmt.Errorf("collector: too many logs wait for files that cannot be written: %w", ErrUnavailable))
		answered++
	}
	return answered
}

// add reads the message into the encoder.
func (c *Collector) add(r *request) error {
	if c.broken != nil {
		return fmt.Errorf("collector: %w: %w", c.broken, ErrUnavailable)
	}
	err := c.current.add(r.message)
	if errors.Is(err, arrowlog.ErrTooLarge) && c.current.files.Encoder().Rows() == 0 {
		return fmt.Errorf("collector: %w: %w", errLarge, err)
	}
	return err
}

// save brings the messages to the disk.
func (c *Collector) save() error {
	err := c.current.save(c.messages)
	if err == nil {
		return nil
	}
	c.logf("the journal cannot be written: %v", err)
	if errors.Is(err, errBroken) {
		c.broken = err
	}
	return fmt.Errorf("collector: the journal: %w: %w", err, ErrUnavailable)
}

// retry is how long after a file could not be written it is tried again.
const retry = 5 * time.Second

// rotate hands the rows that wait to a goroutine that writes them as a file, and
// begins another batch. If the batch before is still being written it waits for that:
// two batches are all that the memory is for. It is false if that batch cannot be
// written.
func (c *Collector) rotate() bool {
	if c.writing {
		c.wrote(<-c.written)
	}
	if c.failed > 0 {
		return false
	}
	c.current, c.other = c.other, c.current
	c.begin(c.current)
	c.write()
	return true
}

// write begins to write the other batch.
func (c *Collector) write() {
	if c.writing {
		return
	}
	c.writing = true
	b := c.other
	go func() { c.written <- b.write(c.logf) }()
}

// wrote takes notice of the end of write.
func (c *Collector) wrote(err error) {
	c.writing = false
	if err == nil {
		c.failed = 0
		return
	}
	c.failed++
	c.tryAgain = time.Now().Add(retry)
}
