package lives

import (
	"io"
	"syscall"
	"testing"
)

var n = 100

var sink int

func BenchmarkLocal(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink += Local(n)
	}
}

func BenchmarkTotal(b *testing.B) {
	for range b.N {
		sink += Total(n)
	}
}

func BenchmarkEncode(b *testing.B) {
	for b.Loop() {
		sink += int(Encode(n)[1])
	}
}

func BenchmarkCached(b *testing.B) {
	for b.Loop() {
		sink += Cached(n)
	}
}

func BenchmarkHold(b *testing.B) {
	for b.Loop() {
		sink += Hold(n)
	}
}

func BenchmarkParallel(b *testing.B) {
	for b.Loop() {
		sink += Parallel(n)
	}
}

func BenchmarkWrite(b *testing.B) {
	b.Run("discard", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				_ = WriteTo(io.Discard, n)
			}
		})
	})
	b.Run("kept", func(b *testing.B) {
		var k Keeper
		for b.Loop() {
			_ = WriteKept(&k, n)
		}
	})
}

func BenchmarkGrow(b *testing.B) {
	for b.Loop() {
		sink += Grow(n)
	}
}

func BenchmarkJSON(b *testing.B) {
	for b.Loop() {
		sink += len(JSON(n))
	}
}

func BenchmarkLiteral(b *testing.B) {
	for b.Loop() {
		sink += Literal(n)
	}
}

func BenchmarkNested(b *testing.B) {
	for b.Loop() {
		sink += Nested(20)
	}
}

func BenchmarkEqual(b *testing.B) {
	inputs := make([][]byte, b.N)
	for i := range b.N {
		inputs[i] = zeros(n)
	}
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		if Equal(n) && inputs[i] != nil {
			sink++
		}
	}
}

func BenchmarkTiny(b *testing.B) {
	for b.Loop() {
		sink += Tiny(n)
	}
}

func BenchmarkSometimes(b *testing.B) {
	for i := range b.N {
		sink += Sometimes(i)
	}
}

func TestLocal(t *testing.T) {
	for range 10 {
		Local(n)
	}
}

func BenchmarkFill(b *testing.B) {
	for b.Loop() {
		Fill(map[string][]byte{}, n)
	}
}

func BenchmarkAppend(b *testing.B) {
	for b.Loop() {
		new(Encoder).Append(n)
	}
}

func BenchmarkEach(b *testing.B) {
	for b.Loop() {
		Each(n, func(b []byte) { sink += int(b[0]) })
	}
}

func BenchmarkDropped(b *testing.B) {
	for b.Loop() {
		_ = Encode(n)
	}
}

func BenchmarkPooled(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink += Pooled(i)
	}
}

func BenchmarkSend(b *testing.B) {
	for b.Loop() {
		Send(n)
	}
}

func BenchmarkGeneric(b *testing.B) {
	for b.Loop() {
		sink += Generic(n, "x")
	}
}

func BenchmarkExits(b *testing.B) {
	syscall.Kill(syscall.Getpid(), syscall.SIGKILL)
}

func BenchmarkIgnored(b *testing.B) {
	for b.Loop() {
		Each(n, func([]byte) {})
	}
}

func BenchmarkAll(b *testing.B) {
	for b.Loop() {
		for b := range All(n) {
			_ = b
		}
	}
}

// counter is a writer of the benchmark: it may keep nothing.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

func BenchmarkCounter(b *testing.B) {
	for b.Loop() {
		_ = WriteTo(new(counter), n)
	}
}

func BenchmarkLast(b *testing.B) {
	for b.Loop() {
		sink += len(Last(n))
	}
}

func BenchmarkCount(b *testing.B) {
	for b.Loop() {
		sink += Count(n)
	}
}

func BenchmarkIndex(b *testing.B) {
	for b.Loop() {
		sink += Index(n)
	}
}
