package flow

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// randomText has lines of all kinds: empty, with carriage returns, longer than a
// chunk.
func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(400) {
		n := r.IntN(60)
		if r.IntN(100) == 0 {
			n = r.IntN(3 * chunkSize)
		}
		for range n {
			b.WriteByte(" abcdefgh\r"[r.IntN(10)])
		}
		if r.IntN(20) > 0 {
			b.WriteString("\n")
		}
	}
	return b.String()
}

// TestReadersFindWhatAScannerFinds reads in pieces of all sizes.
func TestReadersFindWhatAScannerFinds(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range rounds(t, 200) {
		text := randomText(r)
		for name, split := range map[string]bufio.SplitFunc{"lines": bufio.ScanLines, "words": bufio.ScanWords, "runes": bufio.ScanRunes} {
			if name == "runes" {
				text = text[:min(len(text), 3000)]
			}
			var want []string
			scanner := bufio.NewScanner(strings.NewReader(text))
			scanner.Buffer(nil, 1<<30)
			scanner.Split(split)
			for scanner.Scan() {
				want = append(want, scanner.Text())
			}
			for how, reader := range map[string]io.Reader{
				"whole":      strings.NewReader(text),
				"half":       iotest.HalfReader(strings.NewReader(text)),
				"with error": iotest.DataErrReader(strings.NewReader(text)),
			} {
				// Over a boundary, so that tokens must be copied.
				s := Map(FromReader(reader, split).Async(2), func(b []byte) (string, error) { return string(b), nil })
				got, err := s.Collect(t.Context())
				if err != nil || !slices.Equal(got, want) {
					t.Fatalf("%s of %d bytes, %s: %d tokens and error %v, want %d", name, len(text), how, len(got), err, len(want))
				}
			}
			if name == "lines" {
				got, err := FromLines(iotest.HalfReader(strings.NewReader(text))).Async(1).Collect(t.Context())
				if err != nil || !slices.Equal(got, want) {
					t.Fatalf("FromLines of %d bytes: %d lines and error %v, want %d", len(text), len(got), err, len(want))
				}
			}
		}
	}
}

// TestStagesThatKeepTokensCopyThem: each of these holds a token while the source
// reads on.
func TestStagesThatKeepTokensCopyThem(t *testing.T) {
	var lines []string
	for range 3 * chunkSize / 10 {
		lines = append(lines, strings.Repeat(string(rune('a'+len(lines)%26)), 9))
	}
	source := func() Stream[[]byte] {
		return FromReader(strings.NewReader(strings.Join(lines, "\n")), bufio.ScanLines).Tap(func([]byte) {}).Filter(func([]byte) bool { return true })
	}
	text := func(b []byte) (string, error) { return string(b), nil }
	first := func(p Pair[[]byte, int]) (string, error) { return string(p.A), nil }
	kept := func(all [][]byte, err error) []string {
		if err != nil {
			t.Error(err)
		}
		var s []string
		for _, b := range all {
			s = append(s, string(b))
		}
		return s
	}
	ctx := t.Context()
	for name, got := range map[string][]string{
		"Collect": kept(source().Collect(ctx)),
		"Batch":   kept(ungroup(Batch(source(), 10_000)).Collect(ctx)),
		"Window":  kept(ungroup(Window(source(), 10_000, second)).Collect(ctx)),
		"Merge":   kept(Merge(source()).Collect(ctx)),
		"Async":   kept(source().Async(3).Collect(ctx)),
		"Zip": func() []string {
			all, _ := Map(Zip(source(), FromSeq(naturals)).Async(3), first).Collect(ctx)
			return all
		}(),
		"MapOrdered": func() []string {
			all, _ := MapOrdered(source(), 2, func(_ ctxt, b []byte) (string, error) { return string(b), nil }).Collect(ctx)
			return all
		}(),
		"Tee": func() (all []string) {
			Tee(source(), 3, func(ctx ctxt, side Stream[[]byte]) (err error) {
				all, err = Map(side, text).Collect(ctx)
				return err
			}).Collect(ctx)
			return all
		}(),
		"SendTo": func() (all []string) {
			ch := make(chan []byte, len(lines))
			source().SendTo(ctx, ch)
			close(ch)
			for b := range ch {
				all = append(all, string(b))
			}
			return all
		}(),
		"First": func() []string {
			b, _, _ := source().First(ctx)
			return append([]string{string(b)}, lines[1:]...)
		}(),
	} {
		if !slices.Equal(got, lines) {
			t.Errorf("%s: the tokens changed", name)
		}
	}
}

// Those that are not kept are found out to have been, in the checked build.
func TestAKeptTokenIsFoundOut(t *testing.T) {
	if !checked {
		t.Skip("only with -tags poolproofdebug")
	}
	var kept []byte
	err := FromReaderLent(strings.NewReader(strings.Repeat("abcdefgh\n", chunkSize)), bufio.ScanLines).Each(t.Context(), func(b []byte, err error) error {
		if kept == nil {
			kept = b
		}
		return err
	})
	if err != nil || string(kept) == "abcdefgh" {
		t.Errorf("error %v, and the kept token is still %q", err, kept)
	}
}

func TestAReadersErrorIsFatalAfterTheTokensBefore(t *testing.T) {
	broken := errors.New("broken")
	text := "one\ntwo\nthr"
	for name, c := range map[string]struct {
		r    func() io.Reader
		want error
		n    int
	}{
		"an error": {func() io.Reader { return io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)) }, broken, 3},
		"an error with data": {func() io.Reader {
			return iotest.DataErrReader(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)))
		}, broken, 3},
		"no progress": {func() io.Reader { return readerFunc(func([]byte) (int, error) { return 0, nil }) }, io.ErrNoProgress, 0},
	} {
		lines, err := FromLines(c.r()).Collect(t.Context())
		if len(lines) != c.n || err != c.want {
			t.Errorf("%s: FromLines: %q and error %v", name, lines, err)
		}
		tokens, err := FromReader(c.r(), bufio.ScanLines).Collect(t.Context())
		if len(tokens) != c.n || err != c.want {
			t.Errorf("%s: FromReader: %q and error %v", name, tokens, err)
		}
	}
}

func TestAReaderOrSplitFunctionThatMisbehavesIsAnError(t *testing.T) {
	for want, s := range map[string]Stream[[]byte]{
		"returned 9999999 for":      FromReader(readerFunc(func([]byte) (int, error) { return 9999999, nil }), bufio.ScanLines),
		"returned -1 for":           FromReader(readerFunc(func([]byte) (int, error) { return -1, nil }), bufio.ScanLines),
		"panicked: read":            FromReader(readerFunc(func([]byte) (int, error) { panic("read") }), bufio.ScanLines),
		"panicked: split":           FromReader(strings.NewReader("a"), func([]byte, bool) (int, []byte, error) { panic("split") }),
		"advances by -1":            FromReader(strings.NewReader("a"), func([]byte, bool) (int, []byte, error) { return -1, nil, nil }),
		"advances by 2 in 1":        FromReader(strings.NewReader("a"), func([]byte, bool) (int, []byte, error) { return 2, nil, nil }),
		"100 tokens without":        FromReader(strings.NewReader("a"), func([]byte, bool) (int, []byte, error) { return 0, []byte{}, nil }),
		"no token ends":             FromReader(readerFunc(func(p []byte) (int, error) { return len(p), nil }), func([]byte, bool) (int, []byte, error) { return 0, nil, nil }),
		"split is out of its depth": FromReader(strings.NewReader("a"), func([]byte, bool) (int, []byte, error) { return 0, nil, errors.New("split is out of its depth") }),
	} {
		_, err := s.Collect(t.Context())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	final := FromReader(strings.NewReader("a b c"), func(data []byte, end bool) (int, []byte, error) {
		advance, token, err := bufio.ScanWords(data, end)
		if bytes.Equal(token, []byte("b")) {
			return advance, token, bufio.ErrFinalToken
		}
		return advance, token, err
	})
	tokens, err := final.Collect(t.Context())
	if len(tokens) != 2 || err != nil {
		t.Errorf("%q and error %v, want a and b", tokens, err)
	}
}

type ctxt = context.Context

// A line of megabytes that comes in pieces of some hundred bytes is looked through once.
func TestALongLineMayComeInSmallPieces(t *testing.T) {
	const n = 16 << 20
	text := io.MultiReader(strings.NewReader("a\n"), io.LimitReader(endlessX{}, n), strings.NewReader("\nb"))
	got, err := FromLines(pieces{text}).Collect(t.Context())
	if err != nil || len(got) != 3 || got[0] != "a" || len(got[1]) != n || got[2] != "b" {
		t.Errorf("%d lines, error %v", len(got), err)
	}
}

// pieces reads at most 512 bytes at a time.
type pieces struct{ io.Reader }

func (r pieces) Read(p []byte) (int, error) { return r.Reader.Read(p[:min(len(p), 512)]) }

type endlessX struct{}

func (endlessX) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestATokenIsNoLongerThanMaxToken(t *testing.T) {
	lengths, ends := []int64{MaxToken - 1, MaxToken, MaxToken + 1, MaxToken + 100<<10, 1 << 40}, []string{"\n", "", "\n\n"}
	if testing.Short() {
		lengths, ends = lengths[1:3], ends[:1]
	}
	for _, n := range lengths {
		for _, end := range ends {
			r := func() io.Reader { return io.MultiReader(io.LimitReader(endlessX{}, n), strings.NewReader(end)) }
			lines, err := FromLines(r()).Collect(t.Context())
			tokens, wrong := FromReader(r(), bufio.ScanLines).Collect(t.Context())
			if long := n > MaxToken; errors.Is(err, bufio.ErrTooLong) != long || errors.Is(wrong, bufio.ErrTooLong) != long ||
				!long && (len(lines[0]) != int(n) || len(tokens[0]) != int(n)) || long && len(lines)+len(tokens) > 0 {
				t.Errorf("a line of %d bytes and %q: %d lines, error %v; %d tokens, error %v", n, end, len(lines), err, len(tokens), wrong)
			}
		}
	}
}
