package bench

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"unsafe"
)

// BenchmarkPingPong hands each operation to another goroutine and waits for it.
func BenchmarkPingPong(b *testing.B) {
	there, back := make(chan int), make(chan int)
	go func() {
		for v := range there {
			back <- work(200) + v
		}
	}()
	for range b.N {
		there <- work(200)
		result += <-back
	}
	close(there)
}

// BenchmarkThreads is of one thread, but for one that waits and may run on the first
// processor only, as one does that was born of a thread like that. It reports whether
// threads differ in where they may run, as a burst begins.
func BenchmarkThreads(b *testing.B) {
	bindOne()
	masks := map[string]bool{}
	files, _ := filepath.Glob("/proc/self/task/*/status")
	for _, file := range files {
		text, _ := os.ReadFile(file)
		if _, mask, there := strings.Cut(string(text), "Cpus_allowed:"); there { // not one that ends just now
			mask, _, _ = strings.Cut(mask, "\n")
			masks[mask] = true
		}
	}
	b.ResetTimer()
	for range b.N {
		result = work(200)
	}
	b.ReportMetric(float64(len(masks)-1), "bound")
}

var bindOne = sync.OnceFunc(func() {
	bound := make(chan bool)
	go func() {
		runtime.LockOSThread()
		mask := [16]uint64{1}
		syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, 0, unsafe.Sizeof(mask), uintptr(unsafe.Pointer(&mask)))
		bound <- true
		select {}
	}()
	<-bound
})
