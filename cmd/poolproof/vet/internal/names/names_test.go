package names_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
)

func TestWhatNamesSay(t *testing.T) {
	says := map[string]func(string) bool{
		"release": names.IsRelease, "put": names.IsPutName, "touches": names.IsTouching, "waits": names.IsJoin, "sets up": names.IsSetup,
		"cleans": names.IsCleaning, "renews": names.IsRenewing, "prepares": names.IsPreparing, "size": names.IsSize, "signals": names.IsSignal,
		"transfers": names.IsTransfer, "sleeps": names.IsSleep, "counter": names.IsCounter, "counts": names.IsCounting, "retains": names.IsRetain,
		"appends": names.IsAppend, "grows": names.IsGrowing, "derives": names.IsDerived,
	}
	for name, want := range map[string][]string{
		"Put":            {"grows", "put", "release"},
		"putBuffer":      {"grows", "release"},
		"_free":          {"release"},
		"MustClose":      {"release"},
		"Close":          {"release", "touches"},
		"Done":           {"release", "signals", "touches"},
		"Reset":          {"cleans", "renews", "sets up"},
		"ResetTo":        {"cleans", "renews", "sets up"},
		"Preset":         {"cleans"},
		"Init":           {"prepares", "renews", "sets up"},
		"NewReader":      {"prepares"},
		"Set":            {"renews"},
		"WriteTo":        {"grows", "renews", "touches"},
		"WriteTotal":     {"grows", "touches"},
		"Write":          {"grows", "touches", "transfers"},
		"ReadAt":         {"touches", "transfers"},
		"WithContext":    {"derives"},
		"Wait":           {"waits"},
		"WaitGroup":      {"waits"},
		"Lock":           {"waits"},
		"RLock":          nil,
		"Acquire":        {"retains", "waits"},
		"Len":            {"size"},
		"Length":         nil,
		"SleepFor":       {"sleeps"},
		"refs":           {"counter", "retains"},
		"useCount":       {"counter"},
		"rc":             {"counter"},
		"arc":            nil,
		"Add":            {"counts", "grows", "retains"},
		"CompareAndSwap": {"counts"},
		"AppendInt":      {"appends", "grows"},
		"Get":            nil,
	} {
		var got []string
		for what, is := range says {
			if is(name) {
				got = append(got, what)
			}
		}
		slices.Sort(got)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestNamesThatBelongTogether(t *testing.T) {
	for name, want := range map[string][2]string{
		"GetPage": {"GetPage", "ReleasePage"}, "FreePage": {"NewPage", "FreePage"}, "takeBuf": {"takeBuf", "giveBackBuf"},
	} {
		if !slices.Contains(names.PoolPairs(name), want) {
			t.Errorf("%s: %v is not among %v", name, want, names.PoolPairs(name))
		}
	}
	if pairs := names.PoolPairs("Page"); pairs != nil {
		t.Errorf("Page is one of %v", pairs)
	}
	if got := names.PoolNames("recycle"); len(got) != 1 || got[0] != [2]string{"get", "recycle"} {
		t.Errorf("recycle is one of %v", got)
	}
	if got := names.PoolNames("Get"); len(got) != 6 {
		t.Errorf("Get is one of %v", got)
	}
}
