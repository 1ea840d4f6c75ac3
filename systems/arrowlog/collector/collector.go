// Package collector receives OpenTelemetry logs over OTLP/gRPC and OTLP/HTTP and
// writes them into Parquet or Arrow IPC files.
//
// It loses nothing that it has acknowledged: a request is answered only after its
// logs are in a journal on the disk. The journal goes when the file with the same
// logs is on the disk. After a crash, [New] makes the file of a journal that is
// left. A client that got no answer sends its request again, so logs may come
// twice, as OTLP allows.
package collector

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/poolproof/poolproof/systems/arrowlog"
	"github.com/poolproof/poolproof/systems/arrowlog/logfiles"
)

// Options say what a [Collector] writes. The zero value of each but Dir is a good
// one.
type Options struct {
	// Dir is the folder of the files and journals. Only one collector may use it.
	Dir string

	// Encoder says how files are written.
	Encoder arrowlog.Options

	// Rows, Bytes and Age are the limits of a file, as in [logfiles.Options]. An
	// Age of 0 means a minute.
	Rows  int
	Bytes int64
	Age   time.Duration

	// IPC writes Arrow IPC files in place of Parquet.
	IPC bool

	// Logf is told of each file and of what went wrong. Nil is silent.
	Logf func(format string, args ...any)
}

// ErrUnavailable is wrapped by the error of a request that may be sent again
// later, such as when the disk is full. Any other error is the request's own
// fault.
var ErrUnavailable = errors.New("the collector cannot take logs now")

// Collector writes the logs of requests. It is safe for concurrent use.
type Collector struct {
	o       Options
	logf    func(string, ...any)
	files   *logfiles.Writer
	started string // part of the names of this run's files

	lock     io.Closer // of the folder
	requests chan *request
	quit     chan struct{} // closed by Close
	done     chan struct{} // closed when the loop has ended
	once     sync.Once
	end      error

	journal  *journal
	broken   error // why no more can be taken
	full     bool  // a column has no more room
	failed   int   // how often the file could not be written
	tryAgain time.Time
	messages [][]byte
	waiting  []*request
}

// request is a message that waits for its answer.
type request struct {
	message []byte
	answer  chan error
}

// journalSuffix is added to the name of the file that a journal is for.
const journalSuffix = ".journal"

// New makes the folder if there is none, writes the files of journals that a crash
// has left, and starts to take requests.
func New(o Options) (*Collector, error) {
	if o.Dir == "" {
		return nil, errors.New("collector: Options.Dir is empty, want a folder")
	}
	if o.Age == 0 {
		o.Age = time.Minute
	}
	c := &Collector{o: o, logf: o.Logf, requests: make(chan *request, 1024), quit: make(chan struct{}), done: make(chan struct{})}
	if c.logf == nil {
		c.logf = func(string, ...any) {}
	}
	c.o.Encoder.InvalidUTF8 = arrowlog.ReplaceInvalid // what was acknowledged must be writable
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
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
	c.files, err = c.writer(func(n int) string { return fmt.Sprintf("logs-%s-%06d%s", c.started, n, c.suffix()) })
	return err
}

func (c *Collector) suffix() string {
	if c.o.IPC {
		return ".arrow"
	}
	return ".parquet"
}

// writer returns a writer of files with such names.
func (c *Collector) writer(name func(int) string) (*logfiles.Writer, error) {
	e, err := arrowlog.New(arrowlog.Schema{}, c.o.Encoder)
	if err != nil {
		return nil, err
	}
	return logfiles.New(c.o.Dir, e, logfiles.Options{
		Rows: c.o.Rows, Bytes: c.o.Bytes, Age: c.o.Age, IPC: c.o.IPC, Name: name,
	})
}

// recover writes the files of the journals that are left.
func (c *Collector) recover() error {
	left, err := filepath.Glob(filepath.Join(c.o.Dir, "*"+journalSuffix))
	if err != nil {
		return err
	}
	for _, path := range left {
		if err := c.recoverOne(path); err != nil {
			return err
		}
	}
	return nil
}

func (c *Collector) recoverOne(path string) error {
	target := strings.TrimSuffix(path, journalSuffix)
	if _, err := os.Stat(target); err == nil { // it was written, and only the journal was left
		return os.Remove(path)
	}
	w, err := c.writer(func(int) string { return filepath.Base(target) })
	if err != nil {
		return err
	}
	rest, err := readJournal(path, func(message []byte) error {
		_, err := w.Encoder().AppendOTLP(message)
		return err
	})
	if err != nil {
		return err
	}
	rows := w.Encoder().Rows()
	if err := w.Close(); err != nil {
		return err
	}
	c.logf("recovered %d logs into %s; the last %d bytes of the journal were never acknowledged", rows, target, rest)
	return os.Remove(path)
}

// Ingest takes an ExportLogsServiceRequest in its protobuf encoding and returns
// when its logs are on the disk; message is the caller's again then. The error
// wraps [ErrUnavailable] if the request may be sent again; it is an
// [arrowlog.OTLPError] if the message is malformed. If ctx ends first, Ingest
// returns its error: whether the logs were taken is unknown, and message must not
// be changed any more.
func (c *Collector) Ingest(ctx context.Context, message []byte) error {
	if len(message) > maxMessage {
		return fmt.Errorf("collector: a request of %d bytes, at most %d are taken", len(message), maxMessage)
	}
	// The loop may work on the message after ctx has ended.
	r := &request{message: message, answer: make(chan error, 1)}
	select {
	case c.requests <- r:
	case <-c.quit:
		return fmt.Errorf("collector: it is closed: %w", ErrUnavailable)
	case <-ctx.Done():
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

// loop owns all that is not a channel.
func (c *Collector) loop() {
	defer close(c.done)
	tick := time.NewTicker(max(c.o.Age/4, 10*time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case r := <-c.requests:
			c.take(r)
		case now := <-tick.C:
			if c.files.Due(now) {
				c.rotate(now)
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
			c.tryAgain = time.Time{}
			c.end = errors.Join(c.rotate(time.Now()), c.lock.Close())
			return
		}
	}
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
	c.messages = c.messages[:0]
	accepted := c.waiting[:0]
	before := c.files.Encoder().Rows()
	for _, r := range c.waiting {
		if err := c.add(r); err != nil {
			r.answer <- err
			continue
		}
		accepted = append(accepted, r)
		c.messages = append(c.messages, r.message)
	}
	if len(accepted) > 0 {
		err := c.save()
		if err != nil {
			c.files.Encoder().Truncate(before)
		}
		for _, r := range accepted {
			r.answer <- err
		}
	}
	clear(c.waiting[:cap(c.waiting)])
	clear(c.messages)
	if now := time.Now(); c.files.Full(now) || c.full {
		c.rotate(now)
	}
}

// add reads the message into the encoder.
func (c *Collector) add(r *request) error {
	if c.broken != nil {
		return fmt.Errorf("collector: %w: %w", c.broken, ErrUnavailable)
	}
	// Files that cannot be written must not fill the memory without end.
	if c.failed > 0 && c.files.Encoder().Bytes() > 4*max(c.o.Bytes, 256<<20) {
		return fmt.Errorf("collector: too many logs wait for a file that cannot be written: %w", ErrUnavailable)
	}
	_, err := c.files.Encoder().AppendOTLP(r.message)
	if errors.Is(err, arrowlog.ErrTooLarge) {
		c.full = true // the next file has room
		return fmt.Errorf("collector: %w: %w", err, ErrUnavailable)
	}
	return err
}

// save brings the messages to the disk.
func (c *Collector) save() error {
	if c.journal == nil {
		j, err := createJournal(c.files.Next() + journalSuffix)
		if err != nil {
			c.logf("the journal cannot be made: %v", err)
			return fmt.Errorf("collector: the journal: %w: %w", err, ErrUnavailable)
		}
		c.journal = j
	}
	err := c.journal.append(c.messages)
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

// rotate writes the rows that wait as a file, and removes their journal.
func (c *Collector) rotate(now time.Time) error {
	if c.failed > 0 && now.Before(c.tryAgain) {
		return nil
	}
	path, rows := c.files.Next(), c.files.Encoder().Rows()
	if err := c.files.Flush(); err != nil {
		c.failed++
		c.tryAgain = now.Add(retry)
		c.logf("%d logs wait, their file cannot be written (the journal has them): %v", rows, err)
		return err
	}
	c.failed, c.full = 0, false
	if c.journal == nil {
		return nil
	}
	name := c.journal.file.Name()
	err := errors.Join(c.journal.file.Close(), os.Remove(name))
	c.journal = nil
	if rows > 0 {
		c.logf("wrote %d logs to %s", rows, path)
	}
	if err != nil {
		c.logf("the journal of a file that was written stays: %v", err)
	}
	return nil
}
