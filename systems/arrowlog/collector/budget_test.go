package collector

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/poolproof/poolproof/systems/arrowlog/internal/otlpjson"
)

// TestWhatARequestLeavesCountsUntilItIsCollected: requests that are refused quickly must
// not make more garbage than there is memory.
func TestWhatARequestLeavesCountsUntilItIsCollected(t *testing.T) {
	collections := func() uint32 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.NumGC
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC() // one that was running before SetGCPercent
	b := newBudget(80)
	first, second := share{from: b}, share{from: b}
	if !first.more(50) || second.more(31) || !second.more(30) {
		t.Fatal("the shares are not those of one budget")
	}
	first.shrink(5)
	if b.left != 0 || b.garbage != 45 {
		t.Errorf("%d bytes are left and %d are garbage, want 0 and 45", b.left, b.garbage)
	}
	before := collections()
	if second.more(46) || collections() != before {
		t.Error("there are 46 bytes, or a collection was made in vain")
	}
	if !second.more(45) || collections() == before || b.left+b.garbage != 0 {
		t.Error("garbage is not free after a collection, or without one")
	}
	first.shrink(0)
	before = collections()
	if second.more(1) || collections() != before {
		t.Error("a collection was made for 5 of 80 bytes")
	}
	b.give(5)
	if before = collections(); !second.more(5) || collections() != before {
		t.Error("what others own is not free at once")
	}

	// Many at once: the sum is right, and none waits for ever.
	b = newBudget(1 << 20)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range 300 {
				s := share{from: b}
				if s.more(int64(n*i+1)) && s.more(1<<18) {
					s.shrink(1)
				}
				s.shrink(0)
			}
		})
	}
	all.Wait()
	if b.left+b.garbage != 1<<20 {
		t.Errorf("%d bytes came back, want %d", b.left+b.garbage, 1<<20)
	}
}

// allocated returns how many bytes f allocates, of which it has at most all at once.
func allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// TestJSONTakesNoMoreThanIsReckoned reads the texts of which a byte stands for most.
func TestJSONTakesNoMoreThanIsReckoned(t *testing.T) {
	list := func(before, each, after string) []byte {
		return []byte(before + strings.Repeat(each+",", 100_000) + each + after)
	}
	logs := func(each string) []byte {
		return list(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[`, each, `]}]}]}`)
	}
	for name, text := range map[string][]byte{
		"empty logs":       logs(`{}`),
		"small logs":       logs(`{"timeUnixNano":"1","body":{"stringValue":"a"},"attributes":[{"key":"k","value":{"intValue":"7"}}]}`),
		"IDs":              logs(`{"traceId":"000102030405060708090a0b0c0d0e0f","spanId":"0001020304050607"}`),
		"empty scopes":     list(`{"resourceLogs":[{"scopeLogs":[`, `{}`, `]}]}`),
		"scopes":           list(`{"resourceLogs":[{"scopeLogs":[`, `{"scope":{}}`, `]}]}`),
		"empty resources":  list(`{"resourceLogs":[`, `{}`, `]}`),
		"resources":        list(`{"resourceLogs":[`, `{"resource":{}}`, `]}`),
		"empty texts":      list(`{"resourceLogs":[{"resource":{"entityRefs":[{"idKeys":[`, `""`, `]}]}}]}`),
		"references":       list(`{"resourceLogs":[{"resource":{"entityRefs":[`, `{}`, `]}}]}`),
		"empty attributes": logs(`{"attributes":[{},{},{}]}`),
		"empty values":     logs(`{"body":{"arrayValue":{"values":[{},{},{},{}]}}}`),
		"lists":            logs(`{"body":{"arrayValue":{"values":[{"arrayValue":{}},{"kvlistValue":{}}]}}}`),
		"bytes":            logs(`{"body":{"bytesValue":"AAAA"}}`),
		"unknown":          logs(`{"x":[[[]]],"y":{"z":1}}`),
		"one text":         []byte(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"` + strings.Repeat("x", 1<<20) + `"}}]}]}]}`),
		"escaped":          []byte(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"` + strings.Repeat(`\n`, 1<<20) + `"}}]}]}]}`),
	} {
		otlpjson.Decode([]byte(`{}`)) // what is made once
		var err error
		took, reckoned := allocated(func() { _, err = otlpjson.Decode(text) }), jsonBytes(text)
		if took > reckoned {
			t.Errorf("%s: %d bytes take %d, reckoned are %d (%v)", name, len(text), took, reckoned, err)
		}
		t.Logf("%s: %d bytes take %d, reckoned are %d", name, len(text), took, reckoned)
	}
}

// TestReadersTakeNoMoreThanIsReckoned unpacks a stream with the largest window.
func TestReadersTakeNoMoreThanIsReckoned(t *testing.T) {
	plain := make([]byte, 16<<20)
	for i := range plain {
		plain[i] = byte(i * i >> 7)
	}
	var packed bytes.Buffer
	z, err := zstd.NewWriter(&packed, zstd.WithWindowSize(maxWindow))
	if err != nil {
		t.Fatal(err)
	}
	z.Write(plain)
	z.Close()
	c := &Collector{o: Options{Memory: 1 << 30}, flight: newBudget(1 << 30)}
	s := share{from: c.flight}
	s.more(requestBytes)
	var body []byte
	took := allocated(func() { body, err = c.readBody(io.MultiReader(&packed), -1, "zstd", &s) })
	if err != nil || !bytes.Equal(body, plain) {
		t.Fatal(len(body), err)
	}
	buffers := int64(0)
	for n := int64(firstBytes); n <= int64(cap(body)); n *= 2 {
		buffers += n
	}
	if took -= buffers; took > zstdBytes {
		t.Errorf("the reader took %d bytes, reckoned are %d", took, zstdBytes)
	}
	if want := int64(cap(body)) + requestBytes; s.n != want || c.flight.left+c.flight.garbage+want != 1<<30 {
		t.Errorf("the request has %d bytes, want %d; %d are left and %d garbage", s.n, want, c.flight.left, c.flight.garbage)
	}
}

// BenchmarkZstdBody reads a request of 90 kB.
func BenchmarkZstdBody(b *testing.B) {
	var packed bytes.Buffer
	z, _ := zstd.NewWriter(&packed)
	for i := range 2000 {
		fmt.Fprintf(z, "log %d of some text, %v\n", i, time.Duration(i))
	}
	z.Close()
	c := &Collector{o: Options{Memory: 1 << 30}, flight: newBudget(1 << 30)}
	for b.Loop() {
		s := share{from: c.flight}
		s.more(requestBytes)
		c.readBody(io.MultiReader(bytes.NewReader(packed.Bytes())), -1, "zstd", &s)
		s.shrink(0)
	}
}
