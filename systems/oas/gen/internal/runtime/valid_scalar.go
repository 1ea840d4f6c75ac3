//lint:file-ignore U1000 the generator copies what a package needs

package runtime

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"net/netip"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// kind checks the type.
func kind(s map[string]any, v any) string {
	types, ok := s["type"].([]any)
	if one, is := s["type"].(string); is {
		types, ok = []any{one}, true
	}
	if !ok {
		return ""
	}
	is := "null"
	switch v := v.(type) {
	case bool:
		is = "boolean"
	case string:
		is = "string"
	case json.Number:
		is = "number"
		if f, err := v.Float64(); err == nil && f == math.Trunc(f) {
			is = "integer"
		}
	case []any:
		is = "array"
	case map[string]any:
		is = "object"
	}
	names := ""
	for _, t := range types {
		if t == is || t == "number" && is == "integer" || t == "file" {
			return ""
		}
		if name, ok := t.(string); ok {
			names += " or " + name
		}
	}
	return "it is of type " + is + " and must be of type" + strings.TrimPrefix(names, " or")
}

func among(all []any, v any) bool {
	for _, one := range all {
		if same(one, v) {
			return true
		}
	}
	return false
}

// same compares values of JSON, numbers by their value.
func same(a, b any) bool {
	x, ok := a.(json.Number)
	y, is := b.(json.Number)
	if ok && is {
		f, _ := x.Float64()
		g, _ := y.Float64()
		return x == y || f == g
	}
	return reflect.DeepEqual(a, b)
}

// exact writes numbers that are the same in one way: 1, 1.0 and 10e-1 as 1.
func exact(v any) any {
	switch v := v.(type) {
	case json.Number:
		if _, err := v.Int64(); err == nil {
			return v
		}
		if f, err := v.Float64(); err == nil {
			return json.Number(strconv.FormatFloat(f, 'f', -1, 64))
		}
	case []any:
		all := make([]any, len(v))
		for i := range v {
			all[i] = exact(v[i])
		}
		return all
	case map[string]any:
		all := make(map[string]any, len(v))
		for k, e := range v {
			all[k] = exact(e)
		}
		return all
	}
	return v
}

func bound(s map[string]any, key string) (float64, bool) {
	n, ok := s[key].(json.Number)
	f, err := n.Float64()
	return f, ok && err == nil
}

func numberWrong(s map[string]any, n json.Number) string {
	f, err := n.Float64()
	if err != nil {
		return "it is out of the range of numbers"
	}
	if b, ok := bound(s, "minimum"); ok && (f < b || f == b && s["exclusiveMinimum"] == true) {
		return "it is less than it may be; the minimum is " + strconv.FormatFloat(b, 'g', -1, 64)
	}
	if b, ok := bound(s, "maximum"); ok && (f > b || f == b && s["exclusiveMaximum"] == true) {
		return "it is more than it may be; the maximum is " + strconv.FormatFloat(b, 'g', -1, 64)
	}
	if b, ok := bound(s, "exclusiveMinimum"); ok && f <= b {
		return "it must be more than " + strconv.FormatFloat(b, 'g', -1, 64)
	}
	if b, ok := bound(s, "exclusiveMaximum"); ok && f >= b {
		return "it must be less than " + strconv.FormatFloat(b, 'g', -1, 64)
	}
	if b, ok := bound(s, "multipleOf"); ok && b > 0 {
		if q := f / b; math.Abs(q-math.Round(q)) > 1e-9*math.Max(1, math.Abs(q)) {
			return "it must be a multiple of " + strconv.FormatFloat(b, 'g', -1, 64)
		}
	}
	switch s["format"] {
	case "int32":
		_, err = strconv.ParseInt(n.String(), 10, 32)
	case "int64":
		_, err = strconv.ParseInt(n.String(), 10, 64)
	case "uint32":
		_, err = strconv.ParseUint(n.String(), 10, 32)
	case "uint64":
		_, err = strconv.ParseUint(n.String(), 10, 64)
	}
	if err != nil && s["type"] == "integer" && f != math.Trunc(f) || err != nil && strings.Contains(err.Error(), "range") {
		return "it is out of the range of its format"
	}
	return ""
}

// length checks a number of characters, elements or members.
func length(s map[string]any, n int, least, most, of string) string {
	if b, ok := bound(s, least); ok && float64(n) < b {
		return "it has " + strconv.Itoa(n) + " " + of + ", and " + strconv.FormatFloat(b, 'g', -1, 64) + " is the least"
	}
	if b, ok := bound(s, most); ok && float64(n) > b {
		return "it has " + strconv.Itoa(n) + " " + of + ", and " + strconv.FormatFloat(b, 'g', -1, 64) + " is the most"
	}
	return ""
}

func textWrong(s map[string]any, v string) string {
	if message := length(s, utf8.RuneCountInString(v), "minLength", "maxLength", "characters"); message != "" {
		return message
	}
	if p, ok := s["pattern"].(string); ok && !compiled(p).MatchString(v) {
		return "it does not match the pattern " + p
	}
	format, _ := s["format"].(string)
	ok := true
	switch format {
	case "date-time":
		_, err := time.Parse(time.RFC3339, v)
		ok = err == nil
	case "date":
		_, err := time.Parse(time.DateOnly, v)
		ok = err == nil
	case "uuid":
		ok = uuid.MatchString(v)
	case "ipv4", "ipv6":
		a, err := netip.ParseAddr(v)
		ok = err == nil && a.Is4() == (format == "ipv4")
	case "uri":
		u, err := url.Parse(v)
		ok = err == nil && u.IsAbs()
	case "email":
		i := strings.LastIndexByte(v, '@')
		ok = i > 0 && i < len(v)-1
	case "byte":
		_, err := base64.StdEncoding.DecodeString(v)
		ok = err == nil
	}
	if !ok {
		return "it is not of the format " + format
	}
	return ""
}
