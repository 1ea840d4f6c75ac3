package flow

import (
	"bufio"
	"context"
	"errors"
	"io"
	"iter"
	"strings"
	"testing"
	"time"
)

// TestMisusePanicsWithTheNameOfTheArgument: a pipeline that cannot work fails where
// it is made.
func TestMisusePanicsWithTheNameOfTheArgument(t *testing.T) {
	s := FromSlice([]int{1})
	one := func(_ context.Context, v int) (int, error) { return v, nil }
	for want, f := range map[string]func(){
		"FromSeq: seq is nil":                     func() { FromSeq[int](nil) },
		"FromSeq2: seq is nil":                    func() { FromSeq2[int](nil) },
		"FromFunc: f is nil":                      func() { FromFunc[int](nil) },
		"FromLines: r is nil":                     func() { FromLines(nil) },
		"FromReader: r is nil":                    func() { FromReader(nil, bufio.ScanWords) },
		"FromReader: split is nil":                func() { FromReader(strings.NewReader(""), nil) },
		"Map: f is nil":                           func() { Map[int, int](s, nil) },
		"FlatMap: f is nil":                       func() { FlatMap[int, int](s, nil) },
		"FlatMapSlice: f is nil":                  func() { FlatMapSlice[int, int](s, nil) },
		"Handle: f is nil":                        func() { Handle[int, int](s, nil) },
		"Filter: keep is nil":                     func() { s.Filter(nil) },
		"TakeWhile: keep is nil":                  func() { s.TakeWhile(nil) },
		"Tap: f is nil":                           func() { s.Tap(nil) },
		"Recover: f is nil":                       func() { s.Recover(nil) },
		"Take: n is -1":                           func() { s.Take(-1) },
		"Skip: n is -1":                           func() { s.Skip(-1) },
		"Size: n is 0":                            func() { s.Size(0) },
		"Async: depth is -1":                      func() { s.Async(-1) },
		"MapOrdered: workers is 0":                func() { MapOrdered(s, 0, one) },
		"MapUnordered: workers is -2":             func() { MapUnordered(s, -2, one) },
		"MapOrdered: f is nil":                    func() { MapOrdered[int, int](s, 1, nil) },
		"Batch: n is 0":                           func() { Batch(s, 0) },
		"Window: n is 0":                          func() { Window(s, 0, time.Second) },
		"Window: wait is 0s":                      func() { Window(s, 1, 0) },
		"Throttle: n is 0":                        func() { s.Throttle(0, time.Second) },
		"Throttle: per is -1s":                    func() { s.Throttle(1, -time.Second) },
		"Tee: side is nil":                        func() { Tee(s, 0, nil) },
		"Tee: depth is -1":                        func() { Tee(s, -1, func(context.Context, Stream[int]) error { return nil }) },
		"Watch: w is nil":                         func() { s.Watch(nil) },
		"Retry: Backoff.Tries is 0":               func() { Retry(Backoff{}, one) },
		"Retry: f is nil":                         func() { Retry[int, int](Backoff{Tries: 1}, nil) },
		"Retry: Backoff.Pause is -1s":             func() { Retry(Backoff{Tries: 1, Pause: -time.Second}, one) },
		"Retry: Backoff.Factor is 0.5":            func() { Retry(Backoff{Tries: 1, Factor: 0.5}, one) },
		"Retry: Backoff.Jitter is 2":              func() { Retry(Backoff{Tries: 1, Jitter: 2}, one) },
		"Timeout: limit is 0s":                    func() { Timeout(0, one) },
		"Each: f is nil":                          func() { s.Each(context.Background(), nil) },
		"SendTo: ch is nil":                       func() { s.SendTo(context.Background(), nil) },
		"WriteTo: w is nil":                       func() { s.WriteTo(context.Background(), nil, nil) },
		"WriteTo: format is nil":                  func() { s.WriteTo(context.Background(), io.Discard, nil) },
		"Reduce: f is nil":                        func() { Reduce[int, int](context.Background(), s, 0, nil) },
		"the Stream is the zero value; make one ": func() { Stream[int]{}.Collect(context.Background()) },
		"the Stream is the zero value":            func() { Merge(s, Stream[int]{}) },
	} {
		func() {
			defer func() {
				text, _ := recover().(string)
				if !strings.HasPrefix(text, "flow: "+want) {
					t.Errorf("panic %q, want flow: %s", text, want)
				}
			}()
			f()
		}()
	}
}

func TestANilContextIsAnError(t *testing.T) {
	//lint:ignore SA1012 that is the test
	if _, err := FromSlice([]int{1}).Collect(nil); err == nil || !strings.Contains(err.Error(), "context is nil") {
		t.Errorf("error %v", err)
	}
}

func TestAPanicOfASourceIsFatalAfterTheValuesBefore(t *testing.T) {
	seq := func(yield func(int) bool) {
		for i := range 300 {
			if !yield(i) {
				return
			}
		}
		panic(errors.New("the source is broken"))
	}
	for name, s := range map[string]Stream[int]{
		"fused":     FromSeq(seq),
		"async":     FromSeq(seq).Async(2),
		"merged":    Merge(FromSeq(seq)),
		"parallel":  MapOrdered(FromSeq(seq), 3, func(_ context.Context, v int) (int, error) { return v, nil }),
		"unordered": MapUnordered(FromSeq(seq), 3, func(_ context.Context, v int) (int, error) { return v, nil }),
	} {
		got, err := s.Collect(t.Context())
		var p *PanicError
		if !errors.As(err, &p) || err.Error() != "flow: a function of the pipeline panicked: the source is broken" || len(p.Stack) == 0 {
			t.Errorf("%s: error %v", name, err)
		}
		if len(got) != 300 {
			t.Errorf("%s: %d values before it, want 300", name, len(got))
		}
	}
}

func TestASourceThatYieldsAfterTheEndEndsTheRunOnly(t *testing.T) {
	for name, s := range map[string]Stream[int]{
		"function": FromFunc(func(_ context.Context, yield func(int, error) bool) error {
			for i := range 1000 {
				yield(i, nil) // whatever it returns
			}
			return nil
		}),
		"sequence": FromSeq(iter.Seq[int](func(yield func(int) bool) {
			for i := range 1000 {
				yield(i)
			}
		})),
	} {
		got, err := s.Take(300).Collect(t.Context())
		if len(got) != 300 {
			t.Errorf("%s: %d values, error %v", name, len(got), err)
		}
	}
}

func TestAReaderIsRunOnce(t *testing.T) {
	for name, s := range map[string]func(io.Reader) func() (int, error){
		"FromLines": func(r io.Reader) func() (int, error) {
			s := FromLines(r)
			return func() (int, error) { v, err := s.Collect(t.Context()); return len(v), err }
		},
		"FromReader": func(r io.Reader) func() (int, error) {
			s := FromReader(r, bufio.ScanWords)
			return func() (int, error) { v, err := s.Collect(t.Context()); return len(v), err }
		},
	} {
		run := s(strings.NewReader("a\nb\n"))
		if n, err := run(); n != 2 || err != nil {
			t.Errorf("%s: %d values and error %v, want 2", name, n, err)
		}
		if n, err := run(); n != 0 || err != ErrUsed {
			t.Errorf("%s again: %d values and error %v, want 0 and ErrUsed", name, n, err)
		}

		inside := s(readerFunc(func([]byte) (int, error) { panic("unused") }))
		_ = inside
		var again func() (int, error)
		again = s(readerFunc(func([]byte) (n int, err error) {
			_, err = again()
			return 0, err
		}))
		_, err := again()
		var p *PanicError
		if !errors.As(err, &p) || !strings.Contains(p.Error(), name+": two runs at once") {
			t.Errorf("%s inside itself: error %v", name, err)
		}
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
