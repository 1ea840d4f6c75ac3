// Package bench has a benchmark of each kind that the engine must live with.
package bench

import (
	"os"
	"testing"
	"time"
)

var sink []byte

func work(n int) (x int) {
	for i := range n {
		x = x*31 + i
	}
	return x
}

var result int

func BenchmarkLoop(b *testing.B) {
	for b.Loop() {
		result = work(300)
	}
}

func BenchmarkN(b *testing.B) {
	for range b.N {
		result = work(300)
	}
}

func BenchmarkAlloc(b *testing.B) {
	for range b.N {
		sink = make([]byte, 1024)
	}
}

func BenchmarkSub(b *testing.B) {
	for _, name := range []string{"kind=a", "kind=b c", "deep/x"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				result = work(100)
			}
		})
	}
}

func BenchmarkMetric(b *testing.B) {
	for range b.N {
		result = work(300)
	}
	b.ReportMetric(42, "answers/op")
}

func BenchmarkParallel(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			work(300)
		}
	})
}

func BenchmarkStopStart(b *testing.B) {
	for range b.N {
		b.StopTimer()
		work(3000)
		b.StartTimer()
		result = work(3000)
	}
}

func BenchmarkSetUp(b *testing.B) {
	time.Sleep(10 * time.Millisecond)
	for b.Loop() {
		result = work(300)
	}
}

func BenchmarkFatal(b *testing.B) {
	b.Fatal("no such luck")
}

func BenchmarkFatalLater(b *testing.B) {
	for i := range b.N {
		if i > 10 {
			b.Fatal("too much")
		}
	}
}

func BenchmarkSkip(b *testing.B) { b.Skip("not today") }

func BenchmarkPanic(b *testing.B) {
	if b.N > 1 {
		panic("out of cheese")
	}
}

func BenchmarkExit(b *testing.B) {
	if b.N > 1 {
		os.Exit(7)
	}
}

func BenchmarkHang(b *testing.B) {
	if b.N > 1 {
		select {}
	}
}
