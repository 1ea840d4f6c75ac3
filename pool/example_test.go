package pool_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/poolproof/poolproof/pool"
)

// lines makes room once, empties each buffer as it comes back, and is shared
// by all callers of upper.
var lines = pool.New(pool.Options[bytes.Buffer]{
	New:   func() *bytes.Buffer { return bytes.NewBuffer(make([]byte, 0, 1024)) },
	Reset: (*bytes.Buffer).Reset,
})

// upper builds its answer in a pooled buffer. String copies: what upper
// returns is its caller's, and nothing of the buffer is in use after Put.
func upper(words ...string) string {
	b := lines.Get()
	defer lines.Put(b)
	for _, w := range words {
		b.WriteString(strings.ToUpper(w))
		b.WriteByte('.')
	}
	return b.String()
}

func Example() {
	fmt.Println(upper("one", "two"))
	fmt.Println(upper("three"))
	// Output:
	// ONE.TWO.
	// THREE.
}

// A slice is pooled by a pointer to it: a slice itself does not fit in an
// interface and would be allocated by each Put. Reset cuts the references that
// its elements hold and sets the length to 0; the capacity stays.
func ExampleOptions() {
	batches := pool.New(pool.Options[[]*string]{
		Reset: func(batch *[]*string) {
			clear(*batch)
			*batch = (*batch)[:0]
		},
	})

	batch := batches.Get()
	for _, word := range []string{"a", "b", "c"} {
		*batch = append(*batch, &word)
	}
	fmt.Println(len(*batch))
	batches.Put(batch)
	// Output: 3
}

// Keep decides with everything that the object knows. Here it refuses a document
// whose writer has failed.
func ExampleOptions_keep() {
	type document struct {
		text bytes.Buffer
		err  error
	}
	documents := pool.New(pool.Options[document]{
		Keep:  func(d *document) bool { return d.err == nil },
		Reset: func(d *document) { d.text.Reset() },
	})

	d := documents.Get()
	d.err = fmt.Errorf("disk full")
	documents.Put(d)
	fmt.Println(documents.Stats().Dropped.Keep, "refused")
	// Output: 1 refused
}

// A buffer that one large message has grown is dropped at once if it is beyond
// MaxSize, and after 4 small messages running if it is not.
func ExampleOptions_sizes() {
	messages := pool.New(pool.Options[bytes.Buffer]{
		Size:          (*bytes.Buffer).Cap,
		MaxSize:       1 << 20,
		Used:          (*bytes.Buffer).Len,
		DropUnderused: true,
		Reset:         (*bytes.Buffer).Reset,
	})

	b := messages.Get()
	b.Write(make([]byte, 2<<20))
	messages.Put(b)
	fmt.Println(messages.Stats().Dropped.MaxSize, "too large")
	// Output: 1 too large
}

// A report that is written once in a while finds its buffer again, although
// collections in between have emptied the pool.
func ExampleOptions_reserve() {
	reports := pool.New(pool.Options[[64 << 10]byte]{Reserve: 1})

	for range 5 {
		reports.Put(reports.Get())
		for range 3 {
			runtime.GC()
		}
	}
	if made := reports.Stats().Misses; made == 1 || made == 5 { // 5 in the checked build
		fmt.Println("one buffer")
	}
	// Output: one buffer
}

// A worker that lives long keeps a few objects for itself, and gives them to the
// others when it ends.
func ExamplePool_Local() {
	requests := []string{"a", "b", "c"}
	buffers := pool.New(pool.Options[bytes.Buffer]{Reset: (*bytes.Buffer).Reset})

	done := make(chan bool)
	go func() {
		defer close(done)
		mine := buffers.Local(4)
		defer mine.Close()
		for _, r := range requests {
			b := mine.Get()
			fmt.Fprintf(b, "answer to %s\n", r)
			b.WriteTo(os.Stdout)
			mine.Put(b)
		}
	}()
	<-done
	// Output:
	// answer to a
	// answer to b
	// answer to c
}

func ExamplePool_With() {
	buffers := pool.New(pool.Options[bytes.Buffer]{Reset: (*bytes.Buffer).Reset})

	buffers.With(func(b *bytes.Buffer) {
		b.WriteString("put when this function returns")
		fmt.Println(b.Len())
	})
	// Output: 30
}

func ExamplePool_Stats() {
	items := pool.New(pool.Options[item]{Name: "items", Stats: pool.Leaks})

	x, y := items.Get(), items.Get()
	items.Put(x)
	s := items.Stats()
	fmt.Printf("%s at level %s: %d Gets, %d Puts, %d made, %d in use\n", s.Name, s.Level, s.Gets, s.Puts, s.Misses, s.InUse)
	items.Put(y)
	// Output: items at level Leaks: 2 Gets, 1 Puts, 2 made, 1 in use
}

// compressors keeps gzip writers, which are large. An object
// that has to be told something at each use, here where to write, is told so after
// Get by its owner. There is no hook for it: the pool does not know the writer.
var compressors = pool.New(pool.Options[gzip.Writer]{
	New: func() *gzip.Writer { return gzip.NewWriter(nil) },
	// The reference to the last destination would keep it alive.
	Reset: func(z *gzip.Writer) { z.Reset(nil) },
})

// compress writes a gzip stream of text to w.
func compress(w io.Writer, text string) error {
	return compressors.WithError(func(z *gzip.Writer) error {
		z.Reset(w) // the real destination
		if _, err := io.WriteString(z, text); err != nil {
			return err
		}
		return z.Close()
	})
}

func ExamplePool_WithError() {
	for _, text := range []string{"one", "two"} {
		var stream bytes.Buffer
		if err := compress(&stream, text); err != nil {
			fmt.Println(err)
		}
		z, err := gzip.NewReader(&stream)
		if err != nil {
			fmt.Println(err)
		}
		back, err := io.ReadAll(z)
		fmt.Println(string(back), err)
	}
	// Output:
	// one <nil>
	// two <nil>
}

// codec is empty until its first owner has made what can fail.
type codec struct{ *flate.Writer }

var codecs = pool.New(pool.Options[codec]{
	Keep:  func(c *codec) bool { return c.Writer != nil },
	Reset: func(c *codec) { c.Writer.Reset(io.Discard) },
})

// deflate writes text to w, packed.
func deflate(w io.Writer, text string, level int) error {
	return codecs.WithError(func(c *codec) (err error) {
		if c.Writer != nil {
			c.Writer.Reset(w)
		} else if c.Writer, err = flate.NewWriter(w, level); err != nil {
			return err // c stays empty, so Keep drops it
		}
		if _, err := io.WriteString(c, text); err != nil {
			return err
		}
		return c.Close()
	})
}

func ExampleOptions_failing() {
	var packed bytes.Buffer
	fmt.Println(deflate(&packed, "text", 42))
	fmt.Println(deflate(&packed, "text", flate.BestSpeed))
	fmt.Println("not kept:", codecs.Stats().Dropped.Keep)
	// Output:
	// flate: invalid compression level 42: want value in range [-2, 9]
	// <nil>
	// not kept: 1
}
