package flow_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/systems/flow"
)

func Example() {
	input := strings.NewReader("12\n7\nseven\n30\n")
	numbers := flow.Map(flow.FromLines(input), strconv.Atoi)
	even := numbers.Filter(func(n int) bool { return n%2 == 0 })

	err := even.Each(context.Background(), func(n int, err error) error {
		if err != nil {
			fmt.Println("skipped:", err)
			return nil // the stream goes on
		}
		fmt.Println(n)
		return nil
	})
	fmt.Println("end:", err)
	// Output:
	// 12
	// skipped: strconv.Atoi: parsing "seven": invalid syntax
	// 30
	// end: <nil>
}

func ExampleStream_All() {
	words := flow.FlatMap(flow.FromSlice([]string{"to be or", "not to be"}), func(dst []string, line string) ([]string, error) {
		return append(dst, strings.Fields(line)...), nil
	})
	for word, err := range words.All(context.Background()) {
		if err != nil || word == "not" {
			break // ends the stream
		}
		fmt.Println(word)
	}
	// Output:
	// to
	// be
	// or
}

// A slow function is called for several items at once; the results come in the
// order of the items.
func ExampleMapOrdered() {
	square := func(ctx context.Context, n int) (int, error) {
		time.Sleep(time.Duration(5-n) * time.Millisecond) // the first takes longest
		return n * n, nil
	}
	squares, err := flow.MapOrdered(flow.FromSlice([]int{1, 2, 3, 4}), 4, square).Collect(context.Background())
	fmt.Println(squares, err)
	// Output: [1 4 9 16] <nil>
}

func ExampleRetry() {
	failures := 2
	flaky := func(ctx context.Context, name string) (string, error) {
		if failures > 0 {
			failures--
			return "", errors.New("try later")
		}
		return "hello " + name, nil
	}
	patient := flow.Retry(flow.Backoff{Tries: 3, Pause: time.Millisecond}, flaky)
	s := flow.MapOrdered(flow.FromSlice([]string{"gopher"}), 1, patient)
	fmt.Println(s.Collect(context.Background()))
	// Output: [hello gopher] <nil>
}

func ExampleStream_Recover() {
	numbers := flow.Map(flow.FromSlice([]string{"1", "x", "3"}), strconv.Atoi)
	withZero := numbers.Recover(func(err error) (int, error) { return 0, nil })
	fmt.Println(withZero.Collect(context.Background()))

	without := numbers.Recover(func(err error) (int, error) { return 0, flow.Drop })
	fmt.Println(without.Collect(context.Background()))

	fmt.Println(numbers.Collect(context.Background()))
	// Output:
	// [1 0 3] <nil>
	// [1 3] <nil>
	// [1] strconv.Atoi: parsing "x": invalid syntax
}

func ExampleBatch() {
	groups := flow.Batch(flow.FromSlice([]int{1, 2, 3, 4, 5}), 2)
	fmt.Println(groups.Collect(context.Background()))
	// Output: [[1 2] [3 4] [5]] <nil>
}

func ExampleZip() {
	names := flow.FromSlice([]string{"a", "b", "c"})
	numbers := flow.FromSlice([]int{1, 2, 3, 4})
	for pair, err := range flow.Zip(names, numbers).All(context.Background()) {
		fmt.Println(pair.A, pair.B, err)
	}
	// Output:
	// a 1 <nil>
	// b 2 <nil>
	// c 3 <nil>
}

// Half of the stream goes to one place, everything to another.
func ExampleTee() {
	var sum int
	numbers := flow.Tee(flow.FromSlice([]int{1, 2, 3, 4}), 4, func(ctx context.Context, all flow.Stream[int]) (err error) {
		sum, err = flow.Reduce(ctx, all, 0, func(sum, n int) (int, error) { return sum + n, nil })
		return err
	})
	big, err := numbers.Filter(func(n int) bool { return n > 2 }).Collect(context.Background())
	fmt.Println(big, sum, err)
	// Output: [3 4] 10 <nil>
}

func ExampleStream_WriteTo() {
	numbers := flow.FromSlice([]int{1, 2, 3})
	n, err := numbers.WriteTo(context.Background(), os.Stdout, func(dst []byte, v int) ([]byte, error) {
		return append(strconv.AppendInt(dst, int64(v), 10), '\n'), nil
	})
	fmt.Println(n, "bytes", err)
	// Output:
	// 1
	// 2
	// 3
	// 6 bytes <nil>
}

func ExampleDescribe() {
	lines := flow.FromLines(strings.NewReader("")).Async(4)
	lengths := flow.Map(lines, strconv.Atoi).Filter(func(n int) bool { return n > 0 }).Name("positive")
	fmt.Print(flow.Describe(flow.MapOrdered(lengths, 8, func(ctx context.Context, n int) (int, error) { return n, nil }).Name("look up")))
	// Output:
	// 1: lines of *strings.Reader
	//    → 2
	// 2: async, up to 4 batches wait
	//    map strconv.Atoi
	//    positive
	//    → 3
	// 3: look up, 8 goroutines
	//    → the sink
}
