package loglines

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/poolproof/poolproof/systems/arrowlog"
)

func appender(t testing.TB, o Options) (*arrowlog.Encoder, *Rows) {
	t.Helper()
	e, err := arrowlog.New(arrowlog.Schema{}, arrowlog.Options{InvalidUTF8: arrowlog.ReplaceInvalid})
	if err != nil {
		t.Fatal(err)
	}
	return e, New(e, o)
}

// table returns the rows as text: name=kind:value of what is not null.
func table(e *arrowlog.Encoder) (rows []string) {
	b := e.Batch()
	for i := range b.Rows() {
		var cells []string
		for j := range b.Columns() {
			if v := b.Value(i, j); !v.IsNull() {
				cells = append(cells, fmt.Sprintf("%s=%v:%v", b.Column(j).Name, v.Kind(), v))
			}
		}
		rows = append(rows, strings.Join(cells, " "))
	}
	return rows
}

func TestLines(t *testing.T) {
	for _, c := range []struct {
		name, format string
		o            Options
		lines, want  []string
	}{
		{"integers widen while that is exact", "json", Options{}, []string{`{"ms":1}`, `{"ms":1.5}`, `{"ms":2}`}, []string{"ms=float64:1", "ms=float64:1.5", "ms=float64:2"}},
		{"they do not beyond 2^53", "json", Options{}, []string{`{"n":9007199254740993}`, `{"n":1.5}`, `{"n":2}`}, []string{"n=int64:9007199254740993", "n#float64=float64:1.5", "n=int64:2"}},
		{"numbers first", "json", Options{}, []string{`{"n":1.5}`, `{"n":9007199254740993}`, `{"n":3}`}, []string{"n=float64:1.5", "n#int64=int64:9007199254740993", "n=float64:3"}},
		{"RFC 3339 under a name of times", "json", Options{}, []string{`{"time":"2026-11-23T12:00:00.25+02:00","x":"2026-11-23T10:00:00Z"}`, `{"time":"later"}`}, []string{"time=timestamp:2026-11-23T10:00:00.25Z x=string:2026-11-23T10:00:00Z", "time#string=string:later"}},
		{"a number under a name of times stays one", "json", Options{}, []string{`{"uptime":1732356000}`}, []string{"uptime=int64:1732356000"}},
		{"numbers since 1970 by name", "json", Options{Times: []string{"ts", "a.b"}}, []string{`{"ts":1732356000.123456789,"a":{"b":1732356000123}}`, `{"ts":1732356000123456789}`, `{"ts":"1732356000"}`, `{"ts":"2024-11-23 10:00:00,5"}`, `{"ts":true}`},
			[]string{"ts=timestamp:2024-11-23T10:00:00.123456789Z a.b=timestamp:2024-11-23T10:00:00.123Z", "ts=timestamp:2024-11-23T10:00:00.123456789Z", "ts=timestamp:2024-11-23T10:00:00Z", "ts=timestamp:2024-11-23T10:00:00.5Z", "ts#bool=bool:true"}},
		{"a name that is empty", "json", Options{}, []string{`{"":1,"a":{"":2}}`}, []string{"(empty)=int64:1 a.=int64:2"}},
		{"more keys than columns", "json", Options{MaxColumns: 2}, []string{`{"a":1,"b":2,"c":"x\ny","d":[1, 2],"e":null,"f":1.50}`, `{"a":3,"c":4}`}, []string{`a=int64:1 b=int64:2 rest_json=string:{"c":"x\ny","d":[1,2],"f":1.50}`, `a=int64:3 rest_json=string:{"c":4}`}},
		{"keys in another order and twice", "json", Options{}, []string{`{"a":1,"b":{"c":2,"d":3}}`, `{"b":{"d":4,"c":5},"a":6,"a":7}`}, []string{"a=int64:1 b.c=int64:2 b.d=int64:3", "a=int64:6 b.c=int64:5 b.d=int64:4 a#2=int64:7"}},
		{"escapes", "json", Options{}, []string{`{"\u0061\"":"\ud83d\ude00\ud800x\/"}`}, []string{"a\"=string:😀\ufffdx/"}},
		{"logfmt", "logfmt", Options{}, []string{`time=2026-11-23T10:00:00Z level=info msg="a \"b\"" took=1.5 n=-3 ok id=007 empty= t=true`}, []string{`time=timestamp:2026-11-23T10:00:00Z level=string:info msg=string:a "b" took=float64:1.5 n=int64:-3 ok=bool:true id=string:007 empty=string: t=bool:true`}},
		{"a web server", "web", Options{}, []string{`127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /a%20b HTTP/1.0" 200 2326 "-" "Mozilla \"5\"" 0.003`, `::1 - - [10/Oct/2000:13:55:36 +0000] "\x16\x03" 400 -`},
			[]string{`host=string:127.0.0.1 user=string:frank time=timestamp:2000-10-10T20:55:36Z method=string:GET path=string:/a%20b protocol=string:HTTP/1.0 status=int64:200 bytes=int64:2326 agent=string:Mozilla \"5\" more=string:0.003`, `host=string:::1 time=timestamp:2000-10-10T13:55:36Z status=int64:400 request=string:\x16\x03`}},
		{"syslog", "syslog", Options{}, []string{"<165>1 2003-10-11T22:14:15.003Z host app 12 ID47 [a@1 x=\"1\" y=\"\\\"q\\]\"][b@2 z=\"\"] \ufeffthe text", `<0>1 - - - - - -`},
			[]string{`facility=int64:20 severity=int64:5 time=timestamp:2003-10-11T22:14:15.003Z hostname=string:host app_name=string:app proc_id=string:12 msg_id=string:ID47 a@1.x=string:1 a@1.y=string:"q] b@2.z=string: message=string:the text`, "facility=int64:0 severity=int64:0"}},
	} {
		e, r := appender(t, c.o)
		for _, line := range c.lines {
			if f, err := Detect([]byte(line)); err != nil || f.Name != c.format {
				t.Errorf("%s: %q is taken for %v, %v", c.name, line, f, err)
			}
			if err := Named(c.format).Append(r, []byte(line)); err != nil {
				t.Errorf("%s: %q: %v", c.name, line, err)
			}
		}
		if got := table(e); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%q, want\n%q", c.name, got, c.want)
		}
	}
}

func TestBadLinesAddNoRow(t *testing.T) {
	for line, c := range map[string]struct{ format, want string }{
		`{"a":01}`:                           {"json", "want a number without leading zeros"},
		`{"a":1,}`:                           {"json", "byte 7: want a key in quotes"},
		`{"a":1.}`:                           {"json", "byte 7: want a digit"},
		`{"a":"\x"}`:                         {"json", "want an escape"},
		"{\"a\":\"\t\"}":                     {"json", "no control characters"},
		`{"a":[1,2}`:                         {"json", "a comma or the end of a list"},
		`{"a":tru}`:                          {"json", "want a value"},
		`{"a"`:                               {"json", "it ends where a colon is wanted"},
		`{"a":"x`:                            {"json", "the end of a text"},
		`{"a":` + strings.Repeat("[", 1<<20): {"json", "nested deeper"},
		`a="x`:                               {"logfmt", "the quote is not closed"},
		`just a text`:                        {"logfmt", "no key=value"},
		`="x"`:                               {"logfmt", "want a key"},
		`h - - [x] "GET" 1 2`:                {"web", "the time is"},
		`<192>1 - - - - - -`:                 {"syslog", "want 0 to 191"},
		`<1>2 - - - - - -`:                   {"syslog", "the version is"},
		`<1>1 - - - - - [a x="1"`:            {"syslog", "is not closed"},
		`<1>1 - - - - -`:                     {"syslog", "no structured data"},
	} {
		e, r := appender(t, Options{})
		if err := Named(c.format).Append(r, []byte(line)); err == nil || !strings.Contains(err.Error(), c.want) || e.Rows() != 0 {
			t.Errorf("%.40q: the error is %v, want %q; %d rows", line, err, c.want, e.Rows())
		}
		if err := r.AppendJSON([]byte(`{"after":1}`)); err != nil || e.Rows() != 1 {
			t.Errorf("after %.40q: %v, %d rows", line, err, e.Rows())
		}
	}
}

// TestTimesAreThoseOfPackageTime compares with package time, which is the judge of what
// RFC 3339 is.
func TestTimesAreThoseOfPackageTime(t *testing.T) {
	for _, s := range []string{"2026-11-23T10:00:00Z", "2024-02-29T23:59:59.999999999+14:00", "1969-12-31T23:59:59.5-00:30", "1900-02-29T00:00:00Z", "2000-02-29T00:00:00Z",
		"2026-13-01T00:00:00Z", "2026-04-31T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:00:60Z", "1678-01-01T00:00:00Z", "2261-12-31T23:59:59Z", "2026-1-01T00:00:00Z", "2026-01-01T00:00:00", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+0100"} {
		want, err := time.Parse(time.RFC3339Nano, s)
		got, ok := parseRFC3339(s)
		if ok != (err == nil) || ok && got != want.UnixNano() {
			t.Errorf("%s: %d %v, package time has %v, %v", s, got, ok, want.UnixNano(), err)
		}
	}
	for day := int64(-100_000); day < 100_000; day += 17 {
		want := day * 86_400e9
		s := time.Unix(0, want).UTC().Format(time.RFC3339)
		if got, ok := parseRFC3339(s); !ok || got != want {
			t.Fatalf("%s is %d, want %d", s, got, want)
		}
	}
}

// FuzzJSON compares with encoding/json: what it refuses is refused, and each value is
// the same.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"a":1,"b":-0.5e3,"c":"x\u00e9\n","d":[1,{"e":null}],"g":{"h":true}}`, `{"a":1}{`, `{"a":"\ud800"}`, "{\"\xff\":\"\xff\"}", `{"a":[ ] , "b" : { } }`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.Contains(s, "resource") || len(s) > 1<<12 || !utf8.ValidString(s) {
			return
		}
		e, r := appender(t, Options{})
		err := r.AppendJSON([]byte(s))
		var want map[string]any
		d := json.NewDecoder(strings.NewReader(s))
		d.UseNumber()
		bad := d.Decode(&want)
		if bad == nil && (want == nil || d.More()) {
			bad = fmt.Errorf("not one object")
		}
		if bad == nil && strings.TrimSpace(s[d.InputOffset():]) != "" {
			return // such as a brace that is too many
		}
		if (err == nil) != (bad == nil) {
			t.Fatalf("%q: %v, encoding/json: %v", s, err, bad)
		}
		if err != nil {
			return
		}
		b := e.Batch()
		for key, x := range want {
			i := b.Index(key)
			if i < 0 || strings.ContainsAny(key, ".#") {
				continue
			}
			v := b.Value(0, i)
			switch x := x.(type) {
			case string:
				if v.Kind() == arrowlog.String && v.Text() != x && strings.Count(s, `"`+key+`"`) == 1 {
					t.Fatalf("%q: %q is %q, encoding/json has %q", s, key, v.Text(), x)
				}
			case json.Number:
				if g, err := x.Float64(); err == nil && v.Kind() == arrowlog.Float64 && math.Float64bits(g) != math.Float64bits(v.Float64()) && strings.Count(s, `"`+key+`"`) == 1 {
					t.Fatalf("%q: %q is %v, encoding/json has %v", s, key, v.Float64(), g)
				}
			case []any:
				var compact bytes.Buffer
				if !json.Valid([]byte(v.Text())) || json.Compact(&compact, []byte(v.Text())) != nil || compact.String() != v.Text() {
					t.Fatalf("%q: %q is %q, which is not compact JSON", s, key, v.Text())
				}
			}
		}
	})
}

const benchLine = `{"time":"2026-01-01T00:00:00.000000Z","severity":"INFO","body":"GET /api/v1/users/74607 took 868 ms","trace_id":"414c343c1027c4d1c386bbc4cd613e30","http":{"method":"POST","status":404,"took":65.15929727227629},"ok":true}`

func BenchmarkAppendJSON(b *testing.B) {
	e, r := appender(b, Options{})
	b.SetBytes(int64(len(benchLine)))
	b.ReportAllocs()
	for b.Loop() {
		if err := r.AppendJSON([]byte(benchLine)); err != nil {
			b.Fatal(err)
		}
		if e.Rows() == 1<<14 {
			e.Reset()
		}
	}
}

// TestALineAllocatesNothing once its columns are there and have room.
func TestALineAllocatesNothing(t *testing.T) {
	e, r := appender(t, Options{})
	line := []byte(benchLine)
	for range 2000 {
		r.AppendJSON(line)
	}
	e.Reset()
	if n := testing.AllocsPerRun(500, func() { r.AppendJSON(line) }); n != 0 {
		t.Errorf("%v allocations a line", n)
	}
}
