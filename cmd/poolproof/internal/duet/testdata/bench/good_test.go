package bench

import (
	"math"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

var (
	sink   []byte
	result int
)

func work(n int) (x int) {
	for i := range n {
		x = x*31 + i
	}
	return x
}

// counted reports how many operations really ran.
func counted(b *testing.B, ops int) { b.ReportMetric(float64(ops), "done") }

func BenchmarkLoop(b *testing.B) {
	ops := 0
	for b.Loop() {
		result = work(300)
		ops++
	}
	counted(b, ops)
}

func BenchmarkN(b *testing.B) {
	ops := 0
	for range b.N {
		result = work(300)
		ops++
	}
	counted(b, ops)
}

func BenchmarkAlloc(b *testing.B) {
	ops := 0
	for range b.N {
		sink = make([]byte, 1024)
		ops++
	}
	counted(b, ops)
}

func BenchmarkAllocLoop(b *testing.B) {
	ops := 0
	for b.Loop() {
		sink = make([]byte, 1024)
		ops++
	}
	counted(b, ops)
}

func BenchmarkParallel(b *testing.B) {
	var ops, grain atomic.Int64
	b.RunParallel(func(pb *testing.PB) {
		grain.Store(int64(reflect.ValueOf(pb).Elem().FieldByName("grain").Uint()))
		for pb.Next() {
			work(300)
			ops.Add(1)
		}
	})
	counted(b, int(ops.Load()))
	b.ReportMetric(float64(grain.Load()), "grain")
}

// BenchmarkStopStart burns a thousand times more while the timer is stopped.
func BenchmarkStopStart(b *testing.B) {
	ops := 0
	for range b.N {
		b.StopTimer()
		result = work(1_000_000)
		b.StartTimer()
		result = work(3000)
		ops++
	}
	counted(b, ops)
}

func BenchmarkSetUpN(b *testing.B) {
	result = work(10_000_000)
	b.ResetTimer()
	ops := 0
	for range b.N {
		result = work(300)
		ops++
	}
	counted(b, ops)
}

func BenchmarkSetUpLoop(b *testing.B) {
	result = work(10_000_000)
	ops := 0
	for b.Loop() {
		result = work(300)
		ops++
	}
	counted(b, ops)
}

// BenchmarkWindowless times next to nothing of what an operation does.
func BenchmarkWindowless(b *testing.B) {
	for range b.N {
		b.StopTimer()
		time.Sleep(2 * time.Millisecond)
		b.StartTimer()
	}
}

func BenchmarkMetric(b *testing.B) {
	for range b.N {
		result = work(300)
	}
	b.ReportMetric(42, "answers/op")
	b.ReportMetric(0.5, `odd"unit`)
}

func BenchmarkNotANumber(b *testing.B) {
	for range b.N {
		result = work(300)
	}
	b.ReportMetric(math.NaN(), "hit-rate")
	b.ReportMetric(7, "misses")
}

func BenchmarkNoTime(b *testing.B) {
	for range b.N {
		result = work(300)
	}
	b.ReportMetric(0, "ns/op")
}

func BenchmarkNap(b *testing.B) {
	time.Sleep(time.Duration(b.N) * time.Millisecond)
}

// slowRuns counts the slow operations of this process.
var slowRuns int

func slow(b *testing.B, operation time.Duration) {
	slowRuns += b.N
	time.Sleep(time.Duration(b.N) * operation)
	b.ReportMetric(float64(slowRuns), "runs")
}

func BenchmarkSlow(b *testing.B)   { slow(b, 600*time.Millisecond) }
func BenchmarkSlower(b *testing.B) { slow(b, 900*time.Millisecond) }

func BenchmarkSub(b *testing.B) {
	for i, name := range []string{"kind=a", "kind=b c", "deep/x", "(a|b)*[c]+$.\\d", "size-4", "same", "same", "pre/fix", "pre", "größe"} {
		b.Run(name, func(b *testing.B) {
			ops := 0
			for b.Loop() {
				result = work(100)
				ops++
			}
			counted(b, ops)
			b.ReportMetric(float64(i), "which")
		})
	}
}

// BenchmarkAgain starts its own test binary.
func BenchmarkAgain(b *testing.B) {
	printed := 0
	for range b.N {
		out, err := exec.Command(os.Args[0], "-test.run=^$", "-test.bench=^BenchmarkN$", "-test.benchtime=3x").CombinedOutput()
		if err != nil {
			b.Fatal(err)
		}
		printed += strings.Count(string(out), "3.000 done")
	}
	counted(b, printed)
}

// BenchmarkChild leaves a process behind.
func BenchmarkChild(b *testing.B) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "BENCH_SLEEP=1")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(cmd.Process.Pid), "pid")
}
