package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/scratch"
)

// settle is how long further signals count as the first one: a shell, a
// supervisor and the go command may each pass the same Ctrl-C on.
const settle = time.Second

// Interruptible returns a context that ends with Ctrl-C, SIGTERM, or the end of
// the terminal: what is measured is then judged and kept. A later signal ends
// the program at once, without what is measured, and without its temporary
// folders.
func Interruptible() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup ignores it
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		<-signals
		first := time.Now()
		cancel()
		for range signals {
			if time.Since(first) > settle {
				scratch.Clean()
				os.Exit(exitcode.Interrupted)
			}
		}
	}()
	return ctx
}
