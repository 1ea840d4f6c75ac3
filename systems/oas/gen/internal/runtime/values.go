//lint:file-ignore U1000 the generator copies what a package needs

package runtime

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// place is where a parameter stands, and its name.
type place struct{ in, name string }

func convert[T any](in *input, at place, text string, to func(string) (T, error)) T {
	v, err := to(text)
	if err != nil {
		in.fail(http.StatusBadRequest, at.in, at.name, "", "it cannot be "+strconv.Quote(text))
	}
	return v
}

func (in *input) missing(at place) {
	in.fail(http.StatusBadRequest, at.in, at.name, "", "it is missing")
}

func required[T any](in *input, at place, values []string, to func(string) (T, error)) (v T) {
	if len(values) == 0 {
		in.missing(at)
		return v
	}
	return convert(in, at, values[0], to)
}

func optional[T any](in *input, at place, values []string, to func(string) (T, error)) *T {
	if len(values) == 0 {
		return nil
	}
	v := convert(in, at, values[0], to)
	return &v
}

// orNil is optional for a type that has a nil.
func orNil[T any](in *input, at place, values []string, to func(string) (T, error)) (v T) {
	if len(values) == 0 {
		return v
	}
	return convert(in, at, values[0], to)
}

// byDefault is optional for a parameter that has a value in the document.
func byDefault[T any](in *input, at place, values []string, to func(string) (T, error), text string) *T {
	if len(values) == 0 {
		values = []string{text}
	}
	return optional(in, at, values, to)
}

func list[T any](in *input, at place, values []string, to func(string) (T, error)) (all []T) {
	for _, text := range values {
		all = append(all, convert(in, at, text, to))
	}
	return all
}

func requiredList[T any](in *input, at place, values []string, to func(string) (T, error)) []T {
	if len(values) == 0 {
		in.missing(at)
	}
	return list(in, at, values, to)
}

// fits checks a parameter against its schema. One that was not sent fits.
func (in *input) fits(at place, schema string, v any) {
	if in.err != nil || in.options.Lenient {
		return
	}
	b, err := json.Marshal(v)
	if err == nil && !isNull(b) {
		err = valid(schema, json.RawMessage(b))
	}
	if err != nil {
		in.invalid(at, err)
	}
}

// cut returns the values without what they have to begin with.
func cut(values []string, prefix string) (all []string) {
	for _, v := range values {
		if rest, ok := strings.CutPrefix(v, prefix); ok {
			all = append(all, rest)
		}
	}
	return all
}

// deep returns the members of an object that are sent as name[key]=value.
func (in *input) deep(name string) map[string][]string {
	all := map[string][]string{}
	for full, values := range in.allQueries() {
		if key, ok := strings.CutPrefix(full, name+"["); ok && strings.HasSuffix(key, "]") {
			all[strings.TrimSuffix(key, "]")] = values
		}
	}
	return all
}

// apart returns the members of an object that are parameters of the query.
func (in *input) apart(keys ...string) map[string][]string {
	all := map[string][]string{}
	for _, key := range keys {
		if values := in.query(key); len(values) > 0 {
			all[key] = values
		}
	}
	return all
}

// flat returns the members of an object that are one text.
func (in *input) flat(values []string, between, separator string) map[string][]string {
	all := map[string][]string{}
	parts := split(values, separator)
	for i := 0; i < len(parts); i++ {
		key, value, _ := strings.Cut(parts[i], "=")
		if between == separator {
			if key, i = parts[i], i+1; i < len(parts) {
				value = parts[i]
			}
		}
		all[key] = []string{value}
	}
	return all
}

// object reads members into a T as JSON, those that are called texts as strings, and those that are
// called lists as lists; "*" stands for all.
func object[T any](in *input, at place, required bool, members map[string][]string, lists []string, texts ...string) (v T) {
	if len(members) == 0 {
		if required {
			in.missing(at)
		}
		return v
	}
	all := map[string]any{}
	for key, values := range members {
		var parts []any
		for _, value := range values {
			switch {
			case slices.Contains(texts, key) || slices.Contains(texts, "*"):
				parts = append(parts, value)
			case json.Valid([]byte(value)):
				parts = append(parts, json.RawMessage(value))
			default:
				in.fail(http.StatusBadRequest, at.in, at.name, "", key+" cannot be "+strconv.Quote(value))
				return v
			}
		}
		all[key] = parts[0]
		if slices.Contains(lists, key) || slices.Contains(lists, "*") {
			all[key] = parts
		}
	}
	b, err := json.Marshal(all)
	if err == nil {
		err = json.Unmarshal(b, &v)
	}
	if err != nil {
		in.fail(http.StatusBadRequest, at.in, at.name, "", err.Error())
	}
	return v
}

func optionalObject[T any](in *input, at place, required bool, members map[string][]string, lists []string, texts ...string) *T {
	if len(members) == 0 {
		return nil
	}
	v := object[T](in, at, required, members, lists, texts...)
	return &v
}

func split(values []string, separator string) (all []string) {
	for _, v := range values {
		if v != "" {
			all = append(all, strings.Split(v, separator)...)
		}
	}
	return all
}

func toString(s string) (string, error)   { return s, nil }
func toBool(s string) (bool, error)       { return strconv.ParseBool(s) }
func toInt64(s string) (int64, error)     { return strconv.ParseInt(s, 10, 64) }
func toUint64(s string) (uint64, error)   { return strconv.ParseUint(s, 10, 64) }
func toFloat64(s string) (float64, error) { return strconv.ParseFloat(s, 64) }
func toTime(s string) (time.Time, error)  { return time.Parse(time.RFC3339, s) }
func toDate(s string) (Date, error)       { return ParseDate(s) }
func toUUID(s string) (UUID, error)       { return ParseUUID(s) }

func toJSON[T any](s string) (v T, err error) {
	err = json.Unmarshal([]byte(s), &v)
	return v, err
}

func toInt32(s string) (int32, error) {
	v, err := strconv.ParseInt(s, 10, 32)
	return int32(v), err
}

func toUint32(s string) (uint32, error) {
	v, err := strconv.ParseUint(s, 10, 32)
	return uint32(v), err
}

func toFloat32(s string) (float32, error) {
	v, err := strconv.ParseFloat(s, 32)
	return float32(v), err
}
