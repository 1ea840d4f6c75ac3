package runtime

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestValid(t *testing.T) {
	for _, c := range []struct{ schema, value, want string }{
		{"#/Pet", `{"id":"x","tags":["a"],"age":30,"born":"2020-01-02","none":null}`, ""},
		{"#/Pet", `{}`, "/id: it is required"},
		{"#/Pet", `null`, "it is of type null and must be of type object"},
		{"#/Pet", `{"id":"","tags":[]}`, "/id: it has 0 characters, and 1 is the least"},
		{"#/Pet", `{"id":"x","tags":["a","c"]}`, "/tags/1: it is none of the values that it may have"},
		{"#/Pet", `{"id":"x","tags":["a","a"]}`, "/tags/1: an element before it is the same"},
		{"#/Pet", `{"id":"x","tags":null}`, "/tags: it is of type null and must be of type array"},
		{"#/Pet", `{"id":"x","tags":[],"age":31}`, "/age: it is more than it may be; the maximum is 30"},
		{"#/Pet", `{"id":"x","tags":[],"age":-1}`, "/age: it is less than it may be; the minimum is 0"},
		{"#/Pet", `{"id":"x","tags":[],"age":1.5}`, "/age: it is of type number and must be of type integer"},
		{"#/Pet", `{"id":"x","tags":[],"age":1e400}`, "/age: it is of type number and must be of type integer"},
		{"#/Pet", `{"id":"x","tags":[],"born":"2020-13-01"}`, "/born: it is not of the format date"},
		{"#/Pet", `{"id":"x","tags":[],"a/b":1}`, "/a~1b: the object may have no such member"},
		{"#/Pet", `{"id":"x","tags":[],"self":{"id":"y","tags":[1]}}`, "/self/tags/0: it is of type integer and must be of type string"},
		{"#/Any", `"x"`, ""}, {"#/Any", `4`, ""}, {"#/Any", `{"id":"x","tags":[]}`, ""},
		{"#/Any", `3`, "it fits none of oneOf; "},
		{"#/Any", `{"id":"x","tags":[1]}`, "it fits none of oneOf; /tags/0: it is of type integer and must be of type string"},
		{"#/Circle", `"xx"`, ""}, {"#/Circle", `"y"`, "it does not match the pattern ^x+$"},
		{"#/Set", `[1,1.0]`, "/1: an element before it is the same"}, {"#/Set", `[{"a":[1]},{"a":[10e-1]}]`, "/1: an element before it is the same"}, {"#/Set", `[9007199254740992,9007199254740993,1e3]`, ""},
		{"#/Look", `"anything"`, ""}, {"#/None", `{}`, ""},
		{"#/Pet", `{"id":"x","tags":[]} {}`, "there is text after the JSON"},
		{"#/Deep", `{}`, "the value is too large to be checked"},
	} {
		err := valid(c.schema, json.RawMessage(c.value))
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %q", c.schema, c.value, err, c.want)
		}
	}
}
