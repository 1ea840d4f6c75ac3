package mdns

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/message"
	"github.com/poolproof/poolproof/systems/mdns/transport"
)

// Config says how a Node is opened. The zero value means all interfaces, both
// families, and the system's host name.
type Config struct {
	// Transport says what to listen on.
	Transport transport.Config

	// Host is the first label of the host's name, as "printer" of
	// printer.local, without or with the domain. Empty means the system's host
	// name up to its first dot. If another host has the name, the node takes
	// another one ([Node.Host]).
	Host string
}

// Node is a querier and responder. It is made by [Open] or [New], and must be
// closed. All methods are safe for concurrent use.
type Node struct {
	net    network
	conn   *transport.Conn // for statistics, nil in tests without sockets
	stop   context.CancelFunc
	reader sync.WaitGroup

	mu      sync.Mutex // guards all that follows
	closed  bool
	failed  error // why the reader ended
	done    chan struct{}
	stats   Stats
	builder message.Builder

	// The interfaces.
	at     []place
	addrs  map[int][]netip.Prefix // of each interface, as last looked at
	look   *task                  // soon, because something has changed
	clocks clocks

	// The responder.
	host      *claim
	hostLabel string
	claims    []*claim // the host's and one for each registration
	reversed  map[message.Name]reverseState
	pending   []*reply
	sent      map[sentKey]time.Time // when a record was last multicast
	echoes    echoes

	// The querier.
	cache     cache
	questions map[questionKey]*question
	watches   map[*watch]struct{}
	asking    *task
}

// Open listens and returns a Node. ctx is used while Open runs.
func Open(ctx context.Context, config Config) (*Node, error) {
	conn, err := transport.Listen(ctx, config.Transport)
	if err != nil {
		return nil, err
	}
	n, err := New(conn, config.Host)
	if err != nil {
		conn.Close()
		return nil, err
	}
	return n, nil
}

// New returns a Node that reads conn and closes it in [Node.Close]. No other code
// may read conn from now on. Host is as in [Config].
func New(conn *transport.Conn, host string) (*Node, error) {
	n, err := newNode(&sockets{conn: conn}, host)
	if err != nil {
		return nil, err
	}
	n.conn = conn
	return n, nil
}

func newNode(world network, host string) (*Node, error) {
	if host == "" {
		name, err := os.Hostname()
		if err != nil {
			return nil, fmt.Errorf("mdns: the system's host name: %w; set Config.Host", err)
		}
		host, _, _ = strings.Cut(name, ".")
	}
	label, err := ownLabel(host)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	n := &Node{
		net:       world,
		stop:      stop,
		done:      make(chan struct{}),
		hostLabel: label,
		reversed:  map[message.Name]reverseState{},
		sent:      map[sentKey]time.Time{},
		echoes:    echoes{seed: maphash.MakeSeed()},
		cache:     cache{names: map[message.Name][]*entry{}},
		questions: map[questionKey]*question{},
		watches:   map[*watch]struct{}{},
	}
	changes := world.changes(ctx) // before the first look, so that none is missed
	n.mu.Lock()
	n.clocks.start()
	n.observe()
	n.after(lookWait, n.tick)
	n.mu.Unlock()
	n.reader.Go(func() { n.hearChanges(ctx, changes) })
	n.reader.Go(func() {
		err := world.serve(ctx, n.receive)
		n.mu.Lock()
		defer n.mu.Unlock()
		if n.failed == nil {
			n.failed = err
			close(n.done)
		}
	})
	return n, nil
}

// Close says goodbye for all that is registered, ends all calls, and closes the
// sockets. It may be called more than once.
func (n *Node) Close() error {
	n.mu.Lock()
	if n.closed {
		n.mu.Unlock()
		return nil
	}
	for _, c := range slices.Backward(n.claims) { // the host's last
		c.withdraw()
	}
	n.closed = true
	if n.failed == nil {
		n.failed = net.ErrClosed
		close(n.done)
	}
	n.mu.Unlock()
	n.stop()
	err := n.net.close()
	n.reader.Wait()
	return err
}

// err is what calls return that the end of the node has ended.
func (n *Node) err() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if errors.Is(n.failed, net.ErrClosed) {
		return net.ErrClosed
	}
	return fmt.Errorf("mdns: the node has ended: %w", n.failed)
}

// Host returns the host's full name, as it is now: it changes if another host
// has it.
func (n *Node) Host() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return hostText(ownName(n.hostLabel))
}

// Online reports whether the node has an interface to send from. One that comes
// up later is used from then on, without a call.
func (n *Node) Online() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.at) > 0
}

// Stats is what a Node has counted.
type Stats struct {
	Transport transport.Stats

	Queries   uint64 // received and not ignored
	Responses uint64 // received and not ignored
	OffLink   uint64 // sent to one of our addresses by a host that is not on the link
	Ignored   uint64 // an operation or response code other than zero, a response from another port, or an interface that is not ours

	// Malformed counts packets that cannot be read, by reason; Malformed[OK]
	// counts those that were truncated.
	Malformed [message.Reasons]uint64

	CacheRecords int    // in the cache now
	CacheFull    uint64 // records that the cache had no room for
	SendErrors   uint64 // messages that the system refused to send
	Conflicts    uint64 // names of ours that another host claimed
}

// Stats returns what n has counted since it was opened.
func (n *Node) Stats() Stats {
	n.mu.Lock()
	defer n.mu.Unlock()
	s := n.stats
	s.CacheRecords = n.cache.records
	if n.conn != nil {
		s.Transport = n.conn.Stats()
	}
	return s
}

// task is a call in the future, which can be cancelled.
type task struct {
	timer     *time.Timer
	cancelled bool
}

// after calls f after d, with the lock held, unless the task is cancelled or the
// node closed before.
func (n *Node) after(d time.Duration, f func()) *task {
	t := &task{}
	t.timer = time.AfterFunc(d, func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		if !t.cancelled && !n.closed {
			f()
		}
	})
	return t
}

// cancel ends a task. The caller has the lock. A nil task has nothing to end.
func (t *task) cancel() {
	if t != nil {
		t.cancelled = true
		t.timer.Stop()
	}
}

// send sends what the builder holds.
func (n *Node) send(at place, dst netip.AddrPort) {
	msg := n.builder.Bytes()
	n.echoes.add(msg)
	if err := n.net.send(at, dst, msg); err != nil {
		n.stats.SendErrors++ // an interface may be down, or have no address of the family
	}
}

// room returns how long a message of several records may be at a place, and one
// of a single record (RFC 6762, section 17).
func (n *Node) room(at place) (several, single int) {
	single = transport.BufferSize - at.headers()
	several = n.net.mtu(at.ifIndex) - at.headers()
	if several < 512 || several > single {
		several = min(1500-at.headers(), single)
	}
	return several, single
}

// echoes remembers what was sent last, so that it is known when it comes back
// by multicast loopback or a reflector: it is no claim of another host.
type echoes struct {
	seed maphash.Seed
	ring [128]uint64
	next int
}

func (e *echoes) add(msg []byte) {
	e.ring[e.next] = maphash.Bytes(e.seed, msg)
	e.next = (e.next + 1) % len(e.ring)
}

func (e *echoes) has(msg []byte) bool {
	return slices.Contains(e.ring[:], maphash.Bytes(e.seed, msg))
}
