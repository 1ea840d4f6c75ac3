package buffer

import (
	"testing"

	"github.com/poolproof/poolproof/internal/expect"
	"github.com/poolproof/poolproof/pool"
)

func TestOptionsThatCannotBePanicWithFieldAndValue(t *testing.T) {
	tooMany := make([]int, 257)
	for i := range tooMany {
		tooMany[i] = 64 * (i + 1)
	}
	for _, c := range []struct {
		name    string
		options Options
		want    []string
	}{
		{"Max below the first class", Options{Max: 63}, []string{"Max is 63", "at least 64"}},
		{"negative Max", Options{Max: -1}, []string{"Max is -1"}},
		{"absurd Max", Options{Max: largestClass + 1}, []string{"Max is 1", "at most"}},
		{"no class", Options{Classes: []int{}}, []string{"Classes is []", "from 1 to 256"}},
		{"too many classes", Options{Classes: tooMany}, []string{"Classes", "from 1 to 256"}},
		{"class of 0", Options{Classes: []int{0, 64}}, []string{"Classes[0] is 0"}},
		{"negative class", Options{Classes: []int{64, -128}}, []string{"Classes[1] is -128"}},
		{"odd class", Options{Classes: []int{64, 100}}, []string{"Classes[1] is 100", "multiple of 64"}},
		{"absurd class", Options{Classes: []int{64, largestClass + 64}}, []string{"Classes[1] is"}},
		{"unsorted classes", Options{Classes: []int{64, 256, 128}}, []string{"Classes[2] is 128", "larger", "256"}},
		{"the same class twice", Options{Classes: []int{64, 64}}, []string{"Classes[1] is 64", "larger"}},
		{"Max above the classes", Options{Classes: []int{64, 128}, Max: 129}, []string{"Max is 129", "128"}},
		{"unknown Zero", Options{Zero: ZeroFull + 1}, []string{"Zero is Zero(5)"}},
		{"negative Reserve", Options{Reserve: -1}, []string{"Reserve is -1"}},
		{"negative Start", Options{Start: -1}, []string{"Start is -1"}},
		{"Start above Max", Options{Start: 9473, Max: 9000}, []string{"Start is 9473", "9472"}},
		{"unknown level", Options{Stats: pool.Leaks + 1}, []string{"Stats is"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			mustPanic(t, func() { New(c.options) }, append(c.want, "buffer: Options.")...)
		})
	}
}

func TestOptionsAtTheirBoundsAreTaken(t *testing.T) {
	for _, o := range []Options{
		{},
		{Max: 64},
		{Max: 9000, Start: 9472}, // Max is rounded up to a class
		{Classes: []int{64}},
		{Classes: []int{64, 128}, Max: 100},
		{Reserve: 1},
		{Zero: ZeroFull, Stats: pool.Leaks},
	} {
		if text := expect.Panic(func() { New(o).Get(10).Release() }); text != "" {
			t.Errorf("%+v: %s", o, text)
		}
	}
}

func TestAPoolDoesNotSeeLaterChangesOfClasses(t *testing.T) {
	classes := []int{64, 128}
	p := New(Options{Classes: classes})
	classes[1] = 64 << 10
	if b := p.Get(100); b.Cap() != 128 {
		t.Errorf("capacity %d, want 128", b.Cap())
	}
}

func TestSizedOfWhatIsNotKeptPanics(t *testing.T) {
	p := New(Options{Max: 9000, Name: "small"})
	mustPanic(t, func() { p.Sized(-1) }, "Sized(-1)", `"small"`)
	mustPanic(t, func() { p.Sized(9473) }, "Sized(9473)", "9472")
	p.Sized(0)
	p.Sized(9472)
}

func TestNegativeSizesPanicWithTheSize(t *testing.T) {
	p := New(Options{})
	for op, f := range map[string]func(){
		"Get(-1)":      func() { p.Get(-1) },
		"Bytes(-2)":    func() { p.Bytes(-2) },
		"Grow(-3)":     func() { p.Get(1).Grow(-3) },
		"Resize(-4)":   func() { p.Get(1).Resize(-4) },
		"Truncate(-5)": func() { p.Get(1).Truncate(-5) },
		"Truncate(2)":  func() { p.Get(1).Truncate(2) },
		"GetPtr(-6)":   func() { p.GetPtr(-6) },
		"Slice(0, 2)":  func() { filled(p, 1).Share().Slice(0, 2) },
		"Slice(1, 0)":  func() { filled(p, 1).Share().Slice(1, 0) },
		"Slice(-1, 0)": func() { filled(p, 1).Share().Slice(-1, 0) },
	} {
		t.Run(op, func(t *testing.T) { mustPanic(t, f, op) })
	}
}

func TestZeroHasNames(t *testing.T) {
	for z, want := range map[Zero]string{
		ZeroDefault: "default", ZeroNone: "none", ZeroGet: "get", ZeroUsed: "used", ZeroFull: "full", 9: "Zero(9)",
	} {
		if got := z.String(); got != want {
			t.Errorf("%d is %q, want %q", uint8(z), got, want)
		}
	}
}
