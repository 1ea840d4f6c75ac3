package flow

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
)

var errItem = errors.New("item")

// threeAndFive is 1, 2, 3, an item error, 5.
func threeAndFive() Stream[int] {
	return Map(FromSlice([]int{1, 2, 3, 4, 5}), func(v int) (int, error) {
		if v == 4 {
			return 0, errItem
		}
		return v, nil
	})
}

func TestSinksWithoutAPlaceForErrorsStopAtTheFirst(t *testing.T) {
	ctx := t.Context()
	got, err := threeAndFive().Collect(ctx)
	if !slices.Equal(got, []int{1, 2, 3}) || err != errItem {
		t.Errorf("Collect: %v, %v", got, err)
	}
	sum, err := Reduce(ctx, threeAndFive(), 10, func(sum, v int) (int, error) { return sum + v, nil })
	if sum != 16 || err != errItem {
		t.Errorf("Reduce: %d, %v", sum, err)
	}
	sum, err = Reduce(ctx, threeAndFive(), 0, func(sum, v int) (int, error) { return sum + v, map[bool]error{true: io.EOF}[v == 2] })
	if sum != 1 || err != io.EOF {
		t.Errorf("Reduce with an error of its own: %d, %v", sum, err)
	}
	ch := make(chan int, 10)
	if err := threeAndFive().SendTo(ctx, ch); len(ch) != 3 || err != errItem {
		t.Errorf("SendTo: %d, %v", len(ch), err)
	}
	var b bytes.Buffer
	n, err := threeAndFive().WriteTo(ctx, &b, func(dst []byte, v int) ([]byte, error) { return strconv.AppendInt(dst, int64(v), 10), nil })
	if n != 3 || b.String() != "123" || err != errItem {
		t.Errorf("WriteTo: %d, %q, %v", n, b.String(), err)
	}
	for skip, want := range []struct {
		v   int
		ok  bool
		err error
	}{{1, true, nil}, {2, true, nil}, {3, true, nil}, {0, false, errItem}, {0, false, errItem}} {
		v, ok, err := threeAndFive().Skip(skip).First(ctx)
		if v != want.v || ok != want.ok || err != want.err {
			t.Errorf("First of %d on: %d, %t, %v", skip, v, ok, err)
		}
	}
	if v, ok, err := FromSlice([]int(nil)).First(ctx); v != 0 || ok || err != nil {
		t.Errorf("First of nothing: %d, %t, %v", v, ok, err)
	}
}

func TestAllHandsOverItemErrorsAndAFatalOneLast(t *testing.T) {
	var values []int
	var errs []error
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for v, err := range threeAndFive().All(ctx) {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		values = append(values, v)
	}
	if !slices.Equal(values, []int{1, 2, 3, 5}) || !slices.Equal(errs, []error{errItem}) {
		t.Errorf("%v, %v", values, errs)
	}
	errs = nil
	for _, err := range FromSlice(inputs).All(ctx) {
		cancel()
		if err != nil {
			errs = append(errs, err)
		}
	}
	if !slices.Equal(errs, []error{context.Canceled}) {
		t.Errorf("errors %v", errs)
	}
}

func TestSendToEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- FromSlice(inputs).SendTo(ctx, make(chan int)) }()
		synctest.Wait()
		cancel()
		if err := <-done; err != context.Canceled {
			t.Errorf("error %v", err)
		}
	})
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestWriteToCountsWhatTheWriterTook(t *testing.T) {
	format := func(dst []byte, v int) ([]byte, error) { return append(dst, "0123456789"...), nil }
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		w    writerFunc
		n    int64
		want error
	}{
		"all":   {func(p []byte) (int, error) { return len(p), nil }, 200_000, nil},
		"short": {func(p []byte) (int, error) { return 7, nil }, 7, io.ErrShortWrite},
		"error": {func(p []byte) (int, error) { return 9, broken }, 9, broken},
	} {
		calls := 0
		n, err := FromSlice(inputs).WriteTo(t.Context(), writerFunc(func(p []byte) (int, error) { calls++; return c.w(p) }), format)
		if n != c.n || err != c.want {
			t.Errorf("%s: %d, %v; want %d, %v", name, n, err, c.n, c.want)
		}
		if name == "all" && calls != (len(inputs)+DefaultSize-1)/DefaultSize {
			t.Errorf("%d calls of Write", calls)
		}
	}
	if _, err := FromSlice(inputs).WriteTo(t.Context(), writerFunc(func(p []byte) (int, error) { return len(p) + 1, nil }), format); err == nil {
		t.Error("a writer that takes more than it gets is believed")
	}
	n, err := FromSlice(inputs).WriteTo(t.Context(), io.Discard, func(dst []byte, v int) ([]byte, error) {
		if v == 300 {
			return dst, broken
		}
		return append(dst, 'x'), nil
	})
	if n != 300 || err != broken {
		t.Errorf("an error of format: %d, %v", n, err)
	}
}
