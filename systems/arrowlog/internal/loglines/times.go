package loglines

import (
	"math"
	"strings"
	"time"

	"github.com/poolproof/poolproof/systems/arrowlog"
)

// isTimeName reports whether a key is one under which programs write times.
func isTimeName(key string) bool {
	switch key = strings.ToLower(key); key {
	case "ts", "@timestamp", "when":
		return true
	}
	for _, end := range []string{"time", "timestamp", "date", "_at", "_ts", "datetime"} {
		if strings.HasSuffix(key, end) {
			return true
		}
	}
	return false
}

// time returns a value as a time, if it is one for its column.
func (r *Rows) time(n *node, v arrowlog.Value) (arrowlog.Value, bool) {
	switch v.Kind() {
	case arrowlog.String:
		if ns, ok := parseRFC3339(v.Text()); ok {
			return arrowlog.TimestampValue(ns), true
		}
		if n.anyTime {
			if ns, ok := parseOtherTime(v.Text()); ok {
				return arrowlog.TimestampValue(ns), true
			}
			return epoch(v.Text())
		}
	case arrowlog.Int64:
		if n.anyTime {
			return epoch(v.String())
		}
	}
	return v, false
}

// likeTime reports whether a text has the form of RFC 3339, though its year, leap second
// or digits may be none that a column holds.
func likeTime(s string) bool {
	const form = "0000-00-00T00:00:00"
	if len(s) <= len(form) {
		return false
	}
	for i := range len(form) {
		switch c := s[i]; form[i] {
		case '0':
			if c < '0' || c > '9' {
				return false
			}
		case 'T':
			if c != 'T' && c != 't' && c != ' ' {
				return false
			}
		default:
			if c != form[i] {
				return false
			}
		}
	}
	return true
}

// parseRFC3339 returns the nanoseconds since 1970 of a time in RFC 3339 that int64 can
// hold to the last digit.
func parseRFC3339(s string) (int64, bool) {
	// 2026-11-23T10:00:00Z
	if len(s) > 35 || !likeTime(s) {
		return 0, false
	}
	year, _ := digits(s[:4])
	month, _ := digits(s[5:7])
	day, _ := digits(s[8:10])
	hour, _ := digits(s[11:13])
	minute, _ := digits(s[14:16])
	second, _ := digits(s[17:19])
	if month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	rest, nanoseconds := s[19:], 0
	if rest[0] == '.' {
		n := 1
		for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
			n++
		}
		fraction, ok := digits(rest[1:n])
		if !ok || n > 10 {
			return 0, false
		}
		for i := n; i < 10; i++ {
			fraction *= 10
		}
		nanoseconds, rest = fraction, rest[n:]
	}
	offset := 0
	switch {
	case rest == "Z" || rest == "z":
	case len(rest) == 6 && (rest[0] == '+' || rest[0] == '-') && rest[3] == ':':
		h, okH := digits(rest[1:3])
		m, okM := digits(rest[4:6])
		if !okH || !okM || h > 23 || m > 59 {
			return 0, false
		}
		if offset = 60*h + m; rest[0] == '-' {
			offset = -offset
		}
	default:
		return 0, false
	}
	if year < 1678 || year > 2261 {
		return 0, false
	}
	return (daysSince1970(year, month, day)*86_400+int64(hour*3600+minute*60+second-60*offset))*1e9 + int64(nanoseconds), true
}

// digits returns the number that a text of digits is.
func digits(s string) (n int, ok bool) {
	for i := range len(s) {
		c := s[i] - '0'
		if c > 9 {
			return 0, false
		}
		n = 10*n + int(c)
	}
	return n, len(s) > 0
}

func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// daysSince1970 counts days of the Gregorian calendar: the year begins in March, so
// that the leap day is its last.
func daysSince1970(year, month, day int) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	era := year / 400
	ofEra := year - era*400
	ofYear := (153*(month-3)+2)/5 + day - 1
	return int64(era*146_097 + ofEra*365 + ofEra/4 - ofEra/100 + ofYear - 719_468)
}

// otherTimes are forms of times that name no zone, taken as UTC, or that are not RFC
// 3339.
var otherTimes = []string{
	"2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999", "2006-01-02 15:04:05,999999999",
	"2006-01-02T15:04:05.999999999Z0700", "2006-01-02 15:04:05.999999999 -0700", "2006-01-02", time.RFC1123Z, time.RFC1123,
}

func parseOtherTime(s string) (int64, bool) {
	for _, form := range otherTimes {
		if t, err := time.Parse(form, s); err == nil && t.Year() >= 1678 && t.Year() <= 2261 {
			return t.UnixNano(), true
		}
	}
	return 0, false
}

// epoch reads a number as seconds, milliseconds, microseconds or nanoseconds since
// 1970: the unit is that in which it is between 1973 and 5138, as far as int64 goes.
// No digit is lost: it is read from its text.
func epoch(s string) (arrowlog.Value, bool) {
	whole, fraction, _ := strings.Cut(s, ".")
	negative := strings.HasPrefix(whole, "-")
	whole = strings.TrimPrefix(whole, "-")
	if len(whole) > 19 || len(fraction) > 9 {
		return arrowlog.Value{}, false
	}
	n, ok := digits(whole)
	f := 0
	if fraction != "" {
		var okF bool
		f, okF = digits(fraction)
		ok = ok && okF
	}
	if !ok || n < 0 {
		return arrowlog.Value{}, false
	}
	scale := int64(1)
	switch {
	case n < 1e11:
		scale = 1e9
	case n < 1e14:
		scale = 1e6
	case n < 1e17:
		scale = 1e3
	}
	if int64(n) > math.MaxInt64/scale-1 {
		return arrowlog.Value{}, false
	}
	part := int64(f) * scale
	for range len(fraction) {
		part /= 10
	}
	ns := int64(n)*scale + part
	if negative {
		ns = -ns
	}
	return arrowlog.TimestampValue(ns), true
}
