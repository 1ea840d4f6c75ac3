package campaign

import (
	"context"
	"os"
	"os/exec"
	"time"
)

// NeighbourEnv, set to 1, makes the command a bursty neighbour: it works and
// rests by turns, for random spans of some milliseconds, until its standard
// input ends.
const NeighbourEnv = "POOLPROOF_NEIGHBOUR"

// Burst is a neighbour's whole life.
func Burst() {
	ended := make(chan struct{})
	go func() {
		os.Stdin.Read(make([]byte, 1))
		close(ended)
	}()
	x := uint64(os.Getpid())*2654435761 + 1
	span := func(limit time.Duration) time.Duration {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		return time.Duration(x % uint64(limit))
	}
	for {
		for until := time.Now().Add(span(60 * time.Millisecond)); time.Now().Before(until); {
			for range 1000 {
				x = x*6364136223846793005 + 1442695040888963407
			}
		}
		select {
		case <-ended:
			return
		case <-time.After(span(120 * time.Millisecond)):
		}
	}
}

// withNeighbours runs f beside two neighbours.
func withNeighbours(ctx context.Context, f func() error) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for range 2 {
		cmd := exec.CommandContext(ctx, self)
		cmd.Env = append(os.Environ(), NeighbourEnv+"=1", "GOMAXPROCS=1")
		in, err := cmd.StdinPipe()
		if err != nil {
			return err
		}
		if err := cmd.Start(); err != nil {
			return err
		}
		defer func() {
			in.Close()
			cmd.Wait()
		}()
	}
	return f()
}
