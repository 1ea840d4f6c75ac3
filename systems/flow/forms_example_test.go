package flow_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"strings"
	"testing/fstest"
	"time"

	"github.com/poolproof/poolproof/systems/flow"
)

// Files to lines: a file that cannot be opened, or breaks, is an error in its place, and
// the next one is read.
func ExampleFlatMapStream() {
	files := fstest.MapFS{"a.txt": {Data: []byte("one\ntwo\n")}, "c.txt": {Data: []byte("three\n")}}
	lines := flow.FlatMapStream(flow.FromSlice([]string{"a.txt", "b.txt", "c.txt"}), func(name string) (flow.Stream[string], error) {
		return flow.FromFunc(func(ctx context.Context, yield func(string, error) bool) error {
			f, err := files.Open(name)
			if err != nil {
				return err
			}
			defer f.Close()
			for line, err := range flow.FromLines(f).All(ctx) {
				if !yield(line, err) {
					break
				}
			}
			return nil
		}), nil
	})
	for line, err := range lines.All(context.Background()) {
		fmt.Println(line, err)
	}
	// Output:
	// one <nil>
	// two <nil>
	//  open b.txt: file does not exist
	// three <nil>
}

func ExampleFlatMapSeq() {
	pages := flow.FlatMapSeq(flow.FromSlice([]string{"a", "b"}), func(site string) iter.Seq2[string, error] {
		return func(yield func(string, error) bool) {
			_ = yield(site+"/1", nil) && yield(site+"/2", nil)
		}
	})
	fmt.Println(pages.Collect(context.Background()))
	// Output: [a/1 a/2 b/1 b/2] <nil>
}

func ExampleConcat() {
	fmt.Println(flow.Concat(flow.FromSlice([]int{1, 2}), flow.FromSlice([]int{3})).Collect(context.Background()))
	// Output: [1 2 3] <nil>
}

func ExampleStream_EachParallel() {
	urls := flow.FromSlice([]string{"/a", "/b", "/c"})
	err := urls.EachParallel(context.Background(), 2, func(ctx context.Context, url string, err error) error {
		if err == nil && url == "/b" {
			err = fmt.Errorf("%s: no such page", url)
		}
		return err
	})
	fmt.Println(err)
	// Output: /b: no such page
}

func ExampleMapReduce() {
	words := flow.FromSlice(strings.Fields("a rose is a rose is a rose"))
	counts, err := flow.MapReduce(context.Background(), words, 4,
		func(_ context.Context, word string) (string, int, error) { return word, 1, nil },
		func(a, b int) (int, error) { return a + b, nil })
	fmt.Println(counts, err)
	// Output: map[a:3 is:2 rose:3] <nil>
}

func ExampleWindowBy() {
	type reading struct {
		sensor string
		v      int
	}
	readings := flow.FromSlice([]reading{{"a", 1}, {"b", 5}, {"a", 2}, {"a", 3}})
	groups := flow.WindowBy(readings, func(r reading) string { return r.sensor }, 2, time.Minute)
	for g, err := range groups.All(context.Background()) {
		fmt.Println(g.Key, g.Values, err)
	}
	// Output:
	// a [{a 1} {a 2}] <nil>
	// b [{b 5}] <nil>
	// a [{a 3}] <nil>
}

func ExampleScan() {
	sums := flow.Scan(flow.FromSlice([]int{1, 2, 3}), 0, func(sum, v int) (int, error) { return sum + v, nil })
	fmt.Println(sums.Collect(context.Background()))
	// Output: [1 3 6] <nil>
}

func ExampleSliding() {
	fmt.Println(flow.Sliding(flow.FromSlice([]int{1, 2, 3, 4}), 3, 1).Collect(context.Background()))
	// Output: [[1 2 3] [2 3 4]] <nil>
}

func ExampleDistinct() {
	fmt.Println(flow.Distinct(flow.FromSlice([]int{1, 2, 1, 3, 2})).Collect(context.Background()))
	// Output: [1 2 3] <nil>
}

// What is lent is copied where it crosses to another goroutine or is kept.
func ExampleFromReaderLent() {
	var log io.Reader = strings.NewReader("  a\n  b\n")
	trimmed := flow.Map(flow.FromReaderLent(log, bufio.ScanLines), func(line []byte) ([]byte, error) {
		return bytes.TrimSpace(line), nil
	})
	lines, err := trimmed.Async(4).Collect(context.Background())
	fmt.Printf("%s %v\n", lines, err)
	// Output: [a b] <nil>
}

func ExampleSplit() {
	orders := flow.FromSlice([]int{120, 8, 999, 15})
	large := func(euros int) bool { return euros >= 100 }
	review := func(ctx context.Context, orders flow.Stream[int]) error {
		all, err := orders.Collect(ctx)
		fmt.Println("to review:", all)
		return err
	}
	small, err := flow.Split(orders, 1, large, review).Collect(context.Background())
	fmt.Println("at once:", small, err)
	// Output:
	// to review: [120 999]
	// at once: [8 15] <nil>
}

func ExampleSessions() {
	type click struct{ user, page string }
	clicks := flow.FromSlice([]click{{"ann", "/"}, {"bob", "/"}, {"ann", "/cart"}, {"ann", "/pay"}})

	// A visit ends half an hour after its last click, or here with the stream.
	visits := flow.Sessions(clicks, func(c click) string { return c.user }, 1000, 30*time.Minute)
	for v, err := range visits.All(context.Background()) {
		fmt.Println(v.Key, len(v.Values), err)
	}
	// Output:
	// bob 1 <nil>
	// ann 3 <nil>
}

func ExampleTicks() {
	polls := flow.Map(flow.Ticks(time.Millisecond).Take(3), func(time.Time) (string, error) { return "polled", nil })
	got, err := polls.Collect(context.Background())
	fmt.Println(len(got), err)
	// Output: 3 <nil>
}
