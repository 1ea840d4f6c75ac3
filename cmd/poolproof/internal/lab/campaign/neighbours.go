package campaign

import (
	"context"
	"os"
	"os/exec"
	"time"
)

// NeighbourTool is the name by which the runner of the laboratory finds
// [Neighbour]: the campaign starts its own binary with it.
const NeighbourTool = "neighbour"

// Neighbour is a bursty process beside a measurement: it works and rests by turns,
// for random spans of some milliseconds, until its standard input ends.
func Neighbour(context.Context, []string) int {
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
			return 0
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
		cmd := exec.CommandContext(ctx, self, NeighbourTool)
		cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
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
