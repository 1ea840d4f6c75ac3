package core

import "testing"

// TestGetsThatRepeatPass: the first ones of a stack are followed, each of them,
// then one of so many.
func TestGetsThatRepeatPass(t *testing.T) {
	var r Repeats
	key := RepeatKey(0xc000012340, 7, 0x1234567890abcdef)
	for i := range RepeatsAll {
		if r.Pass(key) {
			t.Fatalf("Get %d is not followed", i)
		}
	}
	followed := 0
	for range 100 * RepeatsRest {
		if !r.Pass(key) {
			followed++
		}
	}
	if followed != 100 {
		t.Errorf("%d of %d further Gets are followed, want 100", followed, 100*RepeatsRest)
	}
}

// TestEachGetCountsForItself: another pool, test or stack is another place.
func TestEachGetCountsForItself(t *testing.T) {
	var r Repeats
	often := RepeatKey(64, 1, 2)
	for range 10 * RepeatsAll {
		r.Pass(often)
	}
	for _, other := range []uint64{RepeatKey(128, 1, 2), RepeatKey(64, 2, 2), RepeatKey(64, 1, 3)} {
		if other == often || r.Pass(other) {
			t.Errorf("key %#x is not followed at first", other)
		}
	}
	passed := 0
	for range RepeatsRest {
		if r.Pass(often) {
			passed++
		}
	}
	if passed != RepeatsRest-1 {
		t.Errorf("%d of %d pass after others came by, want %d", passed, RepeatsRest, RepeatsRest-1)
	}
}

// TestRareStacksDoNotPushOutOftenSeenOnes: more stacks than there is room for
// come by once each.
func TestRareStacksDoNotPushOutOftenSeenOnes(t *testing.T) {
	var r Repeats
	const hot = 16
	for k := range uint32(hot) {
		for range 2 * RepeatsAll {
			r.Pass(RepeatKey(64, k, 1))
		}
	}
	for i := range uint64(20 * repeatsCount) {
		if r.Pass(RepeatKey(64, 99, i)) {
			t.Fatalf("stack %d passes the first time", i)
		}
	}
	lost := 0
	for k := range uint32(hot) {
		passed := false
		for range 2 {
			passed = passed || r.Pass(RepeatKey(64, k, 1))
		}
		if !passed {
			lost++
		}
	}
	if lost > 0 {
		t.Errorf("%d of %d stacks that were seen often were forgotten", lost, hot)
	}
}

// TestCountStaysHigh: what was counted as far as a number goes is not new again.
func TestCountStaysHigh(t *testing.T) {
	var r Repeats
	key := RepeatKey(64, 1, 2)
	r.Pass(key)
	for i := range r.slots {
		if r.slots[i].key == key {
			r.slots[i].n = 1<<32 - 1
		}
	}
	passed := 0
	for range 2 * RepeatsRest {
		if r.Pass(key) {
			passed++
		}
	}
	if passed != 2*(RepeatsRest-1) {
		t.Errorf("%d of %d pass, want %d", passed, 2*RepeatsRest, 2*(RepeatsRest-1))
	}
}
