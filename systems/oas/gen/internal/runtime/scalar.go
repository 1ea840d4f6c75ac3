//lint:file-ignore U1000 the generator copies what a package needs

package runtime

import (
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"time"
)

// Date is a day of the calendar, as in 2026-11-27. Its zero value is no day.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// DateOf returns the day on which t is, in the location of t.
func DateOf(t time.Time) Date {
	year, month, day := t.Date()
	return Date{year, month, day}
}

// ParseDate reads a day such as 2026-11-27.
func ParseDate(text string) (Date, error) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return Date{}, err
	}
	return DateOf(t), nil
}

// Time returns the beginning of the day in UTC.
func (d Date) Time() time.Time {
	return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC)
}

// String returns the day as in 2026-11-27.
func (d Date) String() string {
	return fmt.Sprintf("%04d-%02d-%02d", d.Year, int(d.Month), d.Day)
}

// MarshalText returns the day as in 2026-11-27.
func (d Date) MarshalText() ([]byte, error) {
	return []byte(d.String()), nil
}

// UnmarshalText reads a day such as 2026-11-27.
func (d *Date) UnmarshalText(text []byte) (err error) {
	*d, err = ParseDate(string(text))
	return err
}

// UUID is a universally unique identifier (RFC 9562). Types of other packages that are [16]byte
// convert to it.
type UUID [16]byte

// ParseUUID reads an identifier such as 5a2c1b60-0f4e-4d0c-9c52-7a1d3a8d1c11.
func ParseUUID(text string) (id UUID, err error) {
	plain := strings.ReplaceAll(text, "-", "")
	if len(text) == 36 && len(plain) == 32 && text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-' {
		if _, err = hex.Decode(id[:], []byte(plain)); err == nil {
			return id, nil
		}
	}
	return UUID{}, fmt.Errorf("%q is no UUID", text)
}

// String returns the identifier as in 5a2c1b60-0f4e-4d0c-9c52-7a1d3a8d1c11.
func (id UUID) String() string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

// MarshalText returns the identifier as String does.
func (id UUID) MarshalText() ([]byte, error) {
	return []byte(id.String()), nil
}

// UnmarshalText reads an identifier as ParseUUID does.
func (id *UUID) UnmarshalText(text []byte) (err error) {
	*id, err = ParseUUID(string(text))
	return err
}

// FilePart is a part of a body that is a file. A service may read Body until its method returns.
type FilePart struct {
	Name        string // of the file, as its sender calls it; that of the part if it is empty
	ContentType string // application/octet-stream if it is empty
	Body        io.Reader
}
