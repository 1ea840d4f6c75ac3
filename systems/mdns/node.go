package mdns

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/transport"
)

// Config says how a Node is opened. The zero value means all interfaces, both
// families, and the system's host name.
type Config struct {
	// Transport says what to listen on.
	Transport transport.Config

	// Conn is read in place of one that Transport describes, if it is not nil. The
	// node closes it in [Node.Close]. No other code may read it.
	Conn *transport.Conn

	// Host is the first label of the host's name, as "printer" of
	// printer.local, without or with the domain. Empty means the system's host
	// name up to its first dot. If another host has the name, the node takes
	// another one ([Node.Host]).
	Host string

	// Log receives what an operator wants to know: an interface that comes, goes or
	// cannot be used, a message that could not be sent, a name that another host
	// has, a cache without room. Nil means none. It is called while the node works,
	// so it must not call the node, and should not wait.
	Log slog.Handler
}

// Node is a querier and responder. It is made by [Open] or [New], and must be
// closed. All methods are safe for concurrent use.
type Node struct {
	loop  *loop
	links *links
	resp  *responder
	quer  *querier

	conn    *transport.Conn // for statistics, nil in tests without sockets
	stop    context.CancelFunc
	readers sync.WaitGroup
	done    chan struct{} // closed when the node has ended
	failed  error         // why, guarded by the loop's lock
}

// Open listens and returns a Node. ctx is used while Open runs.
func Open(ctx context.Context, config Config) (*Node, error) {
	conn := config.Conn
	if conn == nil {
		var err error
		if conn, err = transport.Listen(ctx, config.Transport); err != nil {
			return nil, err
		}
	}
	n, err := newNode(&sockets{conn: conn}, config.Host, config.Log)
	if err != nil {
		if config.Conn == nil {
			conn.Close()
		}
		return nil, err
	}
	n.conn = conn
	return n, nil
}

// New returns a Node that reads conn: [Open] with Conn and Host.
func New(conn *transport.Conn, host string) (*Node, error) {
	return Open(context.Background(), Config{Conn: conn, Host: host})
}

func newNode(world network, host string, log slog.Handler) (*Node, error) {
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
	n := &Node{loop: newLoop(world, log), stop: stop, done: make(chan struct{})}
	n.links = &links{loop: n.loop, moved: n.moved, woken: n.woken}
	n.resp = newResponder(n.loop, n.links, label)
	n.quer = newQuerier(n.loop, n.links)
	n.links.idle = n.resp.idle
	changes := world.changes(ctx) // before the first look, so that none is missed
	n.loop.mu.Lock()
	n.links.start()
	n.loop.mu.Unlock()
	n.readers.Go(func() { n.links.hear(ctx, changes) })
	n.readers.Go(func() {
		err := world.serve(ctx, n.receive)
		n.loop.mu.Lock()
		defer n.loop.mu.Unlock()
		n.fail(err)
	})
	return n, nil
}

// moved follows a change of the interfaces.
func (n *Node) moved(m move) {
	n.quer.moved(m)
	n.resp.moved(m)
}

// woken follows a time in which the machine was suspended.
func (n *Node) woken(slept time.Duration) {
	n.quer.woken(slept)
	n.resp.woken()
}

// fail ends all calls, with the first error. The caller has the lock.
func (n *Node) fail(err error) {
	if n.failed != nil {
		return
	}
	n.failed = err
	close(n.done)
	if !errors.Is(err, net.ErrClosed) {
		n.loop.log.Error("mdns: the node has ended", "error", err)
	}
}

// Close says goodbye for all that is registered, ends all calls, and closes the
// sockets. It may be called more than once.
func (n *Node) Close() error {
	n.loop.mu.Lock()
	if n.loop.ended {
		n.loop.mu.Unlock()
		return nil
	}
	n.resp.end()
	n.loop.end()
	n.fail(net.ErrClosed)
	n.loop.mu.Unlock()
	n.stop()
	err := n.loop.net.close()
	n.readers.Wait()
	return err
}

// err returns the error of calls that the end of the node has ended.
func (n *Node) err() error {
	n.loop.mu.Lock()
	defer n.loop.mu.Unlock()
	return n.ended()
}

// ended is err for a caller that has the lock.
func (n *Node) ended() error {
	if errors.Is(n.failed, net.ErrClosed) {
		return net.ErrClosed
	}
	return fmt.Errorf("mdns: the node has ended: %w", n.failed)
}

// Host returns the full name of the node's own host, as it is now: it changes if
// another host has it.
func (n *Node) Host() string {
	n.loop.mu.Lock()
	defer n.loop.mu.Unlock()
	return hostText(n.resp.hostName())
}

// Online reports whether the node has an interface to send from. One that comes
// up later is used from then on, without a call.
func (n *Node) Online() bool {
	n.loop.mu.Lock()
	defer n.loop.mu.Unlock()
	return len(n.links.at) > 0
}

// Stats returns what n has counted since it was opened.
func (n *Node) Stats() Stats {
	n.loop.mu.Lock()
	defer n.loop.mu.Unlock()
	s := n.loop.stats
	s.CacheRecords = len(n.quer.cache.known)
	if n.conn != nil {
		s.Transport = n.conn.Stats()
	}
	return s
}

// wait waits until there is news. It returns ctx.Err(), or why the node has ended.
func (w *watch) wait(ctx context.Context, n *Node) error {
	select {
	case <-w.kick:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-n.done:
		return n.err()
	}
}
