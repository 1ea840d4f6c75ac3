package bench

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Those that end with Later behave with b.N = 1.

func BenchmarkFatal(b *testing.B) { b.Fatal("no such luck\nwith a second line") }

func BenchmarkFatalLater(b *testing.B) {
	for i := range b.N {
		if i > 10 {
			b.Fatal("too much")
		}
	}
}

func BenchmarkErrorLater(b *testing.B) {
	if b.N > 1 {
		b.Error("not equal")
	}
}

func BenchmarkFailLater(b *testing.B) {
	if b.N > 1 {
		b.FailNow()
	}
}

func BenchmarkBreakLater(b *testing.B) {
	i := 0
	for b.Loop() {
		if i++; i == 5 {
			break
		}
	}
}

func BenchmarkSkip(b *testing.B) { b.Skip("not today") }

func BenchmarkSkipLater(b *testing.B) {
	if b.N > 1 {
		b.Skip("not today")
	}
}

func BenchmarkPanic(b *testing.B) { panic("out of cheese") }

func BenchmarkPanicLater(b *testing.B) {
	if b.N > 1 {
		fmt.Fprintln(os.Stderr, "no panic: just a word before")
		panic("out of cheese\nredo from start")
	}
}

func BenchmarkPanicInLibrary(b *testing.B) {
	if b.N > 1 {
		result = len(strings.Repeat("x", -b.N))
	}
}

func BenchmarkPanicElsewhere(b *testing.B) {
	if b.N > 1 {
		go func() { panic("in a goroutine") }()
		time.Sleep(time.Hour)
	}
}

// BenchmarkManyStacks dies with more stacks than anybody keeps.
func BenchmarkManyStacks(b *testing.B) {
	if b.N > 1 {
		for range 2000 {
			go func() { select {} }()
		}
		runtime.Gosched()
		m := map[int]int{}
		for range 8 {
			go func() {
				for i := 0; ; i++ {
					m[i%10] = i
				}
			}()
		}
		time.Sleep(time.Hour)
	}
}

func BenchmarkPanicWord(b *testing.B) {
	for range b.N {
		result = work(10)
	}
	fmt.Fprintln(os.Stderr, "panic: this is only printed")
}

func BenchmarkExit(b *testing.B) { os.Exit(7) }

func BenchmarkExitLater(b *testing.B) {
	if b.N > 1 {
		os.Exit(7)
	}
}

func BenchmarkExitZeroLater(b *testing.B) {
	if b.N > 1 {
		os.Exit(0)
	}
}

func BenchmarkGoexitLater(b *testing.B) {
	if b.N > 1 {
		runtime.Goexit()
	}
}

func BenchmarkHang(b *testing.B) { time.Sleep(time.Hour) }

func BenchmarkHangLater(b *testing.B) {
	if b.N > 1 {
		time.Sleep(time.Hour)
	}
}

// BenchmarkNested deadlocks under go test too: testing lets one run at a time.
func BenchmarkNested(b *testing.B) {
	testing.Benchmark(func(b *testing.B) {
		for range b.N {
			result = work(10)
		}
	})
}

func BenchmarkWays(b *testing.B) {
	for _, way := range []string{"first", "fatal", "panic", "exit", "last"} {
		b.Run("way="+way, func(b *testing.B) {
			switch way {
			case "fatal":
				b.Fatal("no such luck")
			case "panic":
				panic("out of cheese")
			case "exit":
				os.Exit(7)
			}
			for b.Loop() {
			}
		})
	}
}

func BenchmarkAfterwards(b *testing.B) {
	b.Run("part=1", func(b *testing.B) {
		for b.Loop() {
		}
	})
	panic("after its parts")
}

// slowWords takes its time to say what it is.
type slowWords struct{}

func (slowWords) Error() string {
	time.Sleep(200 * time.Millisecond)
	return "out of cheese, slowly"
}

// BenchmarkSlowPanic has a panic whose message takes longer than it takes to
// begin the next benchmark.
func BenchmarkSlowPanic(b *testing.B) {
	for _, way := range []string{"panic", "exit", "last"} {
		b.Run("way="+way, func(b *testing.B) {
			switch way {
			case "panic":
				panic(slowWords{})
			case "exit":
				os.Exit(7)
			}
			for b.Loop() {
			}
		})
	}
}
