package build

import (
	"errors"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestEveryPlainBinaryHasANameOfItsOwn(t *testing.T) {
	bs := NewSet(&Target{ID: MainBinary})
	seen := map[string]bool{MainBinary: true}
	for _, tt := range []struct {
		arm  study.Arm
		want string
	}{
		{study.Arm{Tags: "ccalloc"}, "test+ccalloc"},
		{study.Arm{Tags: "a,b"}, "test+a+b"},
		{study.Arm{Tags: "a.b"}, "test+a.b"},
		{study.Arm{Module: "arrow1841"}, "test@arrow1841"},
		{study.Arm{Module: "../peers/arrow1841"}, "test@arrow1841.2"},
		{study.Arm{Module: "arrow1841", Tags: "ccalloc"}, "test@arrow1841+ccalloc"},
		{study.Arm{Module: "test-shifted1"}, "test@test_shifted1"},
		{study.Arm{Module: "test_shifted1"}, "test@test_shifted1.2"},
	} {
		id := bs.newID(armKey(tt.arm))
		if id != tt.want || seen[id] {
			t.Errorf("module %q, tags %q: %q (seen: %t), want %q", tt.arm.Module, tt.arm.Tags, id, seen[id], tt.want)
		}
		bs.arms[armKey(tt.arm)], seen[id] = id, true
		for _, layout := range []int{1, 9, 10, 11, 100, 110} {
			if shifted := LayoutID(id, layout); seen[shifted] {
				t.Errorf("%s is the name of two binaries", shifted)
			} else {
				seen[shifted] = true
			}
		}
	}
	if id := bs.BinaryOf(study.Arm{Module: "./arrow1841/", Name: "another arm"}); id != "test@arrow1841" {
		t.Errorf("two arms of one module are in %q", id)
	}
	if id := bs.BinaryOf(study.Arm{}); id != MainBinary {
		t.Errorf("an arm without tags and module is in %q", id)
	}
}

func TestABinaryIsOptionalIfAllArmsInItAre(t *testing.T) {
	key := armKey(study.Arm{Tags: "x"})
	optional := study.Arm{Tags: "x", Optional: "needs x"}
	also := study.Arm{Tags: "x", Optional: "needs more of x"}
	needed := study.Arm{Tags: "x"}
	other := study.Arm{Tags: "y"}
	for _, tt := range []struct {
		arms []study.Arm
		want string
	}{
		{[]study.Arm{optional, also, other}, "needs x"},
		{[]study.Arm{optional, needed}, ""},
		{[]study.Arm{needed, optional}, ""},
		{[]study.Arm{other}, ""},
	} {
		if got := optionalOf(&study.File{Arms: tt.arms}, key); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.arms, got, tt.want)
		}
	}
}

func TestBuildTagsAreJoined(t *testing.T) {
	for _, tt := range []struct{ a, b, want string }{
		{"", "", ""}, {"a", "", "a"}, {"", "a,b", "a,b"}, {"a,b", "c", "a,b,c"}, {"a b", "c", "a,b,c"},
	} {
		if got := joinTags(tt.a, tt.b); got != tt.want {
			t.Errorf("joinTags(%q, %q) = %q, want %q", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestTheLineThatTellsWhatIsWrongIsTaken(t *testing.T) {
	for text, want := range map[string]string{
		"no luck": "no luck",
		"example.com/x does not compile:\n# example.com/x\n./x.go:3:5: undefined: y\n./x.go:4:5: more":  "./x.go:3:5: undefined: y",
		"example.com/x does not compile:\ngo: downloading example.com/y v1.0.0\nx.go:3:8: no such host": "x.go:3:8: no such host",
		"# only a head": "# only a head",
	} {
		if got := tellingLine(errors.New(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
