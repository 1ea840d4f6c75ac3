package message

import "fmt"

// Reason says why a message cannot be read.
type Reason uint8

// The reasons, in the order in which a reader meets them.
const (
	OK             Reason = iota
	ShortHeader           // fewer than twelve bytes
	ShortName             // the message ends within a name
	LabelType             // a label that begins with the bits 01 or 10
	PointerForward        // a compression pointer that does not aim below its own name
	PointerChain          // more pointers in a name than a name has labels
	LongName              // a name of more than MaxName bytes
	ShortQuestion         // the message ends within a question
	ShortRecord           // the message ends within a record's fixed part
	ShortData             // the record's data ends after the message
	BadData               // the data is not what its type has: an address of five bytes
	Reasons        = iota // the number of reasons, OK included
)

var reasons = [Reasons]string{
	OK:             "no fault",
	ShortHeader:    "the message is shorter than a header of 12 bytes",
	ShortName:      "the message ends within a name",
	LabelType:      "a label is of a type that does not exist",
	PointerForward: "a compression pointer does not aim below the name that it stands in",
	PointerChain:   "a name has more compression pointers than labels are allowed",
	LongName:       "a name is longer than 255 bytes and the zero",
	ShortQuestion:  "the message ends within a question",
	ShortRecord:    "the message ends within a record",
	ShortData:      "a record's data ends after the message",
	BadData:        "a record's data is not what its type has",
}

// String says what the reason is.
func (r Reason) String() string {
	if int(r) < len(reasons) {
		return reasons[r]
	}
	return fmt.Sprintf("reason %d", uint8(r))
}

// Fault is where and why a message cannot be read further. It is a value, so
// that to find one allocates nothing. The zero value is no fault.
type Fault struct {
	Reason Reason
	Offset int // in the message, in bytes: where the name, question, record or data begins
}

// Err returns f as an error, nil if it is none. The error is an [*Error].
func (f Fault) Err() error {
	if f.Reason == OK {
		return nil
	}
	return &Error{f}
}

// Error is a [Fault] as an error.
type Error struct{ Fault }

// Error says what is wrong and at which byte.
func (e *Error) Error() string {
	return fmt.Sprintf("DNS message, byte %d: %s", e.Offset, e.Reason)
}
