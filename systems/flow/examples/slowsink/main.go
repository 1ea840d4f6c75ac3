// Slowsink writes events to a slow store, in groups, and shows where the time goes.
//
//	go run ./systems/flow/examples/slowsink [-picture] [-events N]
//
// The source could make events much faster than the store takes them. It is held up
// by a bounded queue, so that memory does not grow; the statistics say so: the time
// for which the queue blocked what comes before it.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"text/tabwriter"
	"time"

	"github.com/poolproof/poolproof/systems/flow"
)

func main() {
	picture := flag.Bool("picture", false, "print the pipeline in place of running it")
	events := flag.Int("events", 2000, "how many events to store")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()

	p := &pipeline{events: *events, store: &store{pause: 5 * time.Millisecond}, watch: flow.NewWatch("slowsink")}
	if *picture {
		fmt.Print(flow.Describe(p.groups()))
		return
	}
	err := p.run(ctx)
	p.report(os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "slowsink:", err)
		os.Exit(1)
	}
}

// Event is a stored event.
type Event struct {
	ID   int
	Text string
}

// store is slow, and takes groups.
type store struct {
	pause  time.Duration // for a group
	events int
	groups int
}

func (s *store) put(group []Event) error {
	time.Sleep(s.pause)
	s.events += len(group)
	s.groups++
	return nil
}

type pipeline struct {
	events int
	store  *store
	watch  *flow.Watch
}

// groups is the pipeline: groups of 50, or of what came within 100 milliseconds.
func (p *pipeline) groups() flow.Stream[[]Event] {
	numbers := flow.FromFunc(func(_ context.Context, yield func(int, error) bool) error {
		for n := range p.events {
			if !yield(n, nil) {
				return nil
			}
		}
		return nil
	}).Name("source")
	events := flow.Map(numbers, func(n int) (Event, error) { return Event{n, fmt.Sprint("event ", n)}, nil }).Name("event").Size(50)
	return flow.Window(events, 50, 100*time.Millisecond).Name("window").Watch(p.watch)
}

func (p *pipeline) run(ctx context.Context) error {
	return p.groups().Each(ctx, func(group []Event, err error) error {
		if err != nil {
			return err
		}
		return p.store.put(group)
	})
}

func (p *pipeline) report(w io.Writer) {
	fmt.Fprintf(w, "%d events in %d groups\n\n", p.store.events, p.store.groups)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "stage\tvalues\tbusy\tblocked those before\twaited for them")
	for _, s := range p.watch.Stats() {
		ms := func(d time.Duration) time.Duration { return d.Round(time.Millisecond) }
		fmt.Fprintf(t, "%s\t%d\t%v\t%v\t%v\n", s.Stage, s.Values, ms(s.Busy), ms(s.Blocked), ms(s.Starved))
	}
	t.Flush()
}
