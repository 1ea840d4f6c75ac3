package collector

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// maxFields is how many fields the messages in a request may have, which bounds the
// time for it: a log with ten attributes has some 50.
const maxFields = 2 << 20

// errLarge is the error for a request that is too large at any time.
var errLarge = errors.New("the request is too large")

// The messages of an ExportLogsServiceRequest that can have many fields.
const (
	inRequest = iota
	inResourceLogs
	inResource
	inScopeLogs
	inScope
	inLog
	inPair
	inValue
	inList
	inMap
)

// inside are the fields of a message that are messages.
var inside = [...]map[protowire.Number]int{
	inRequest:      {1: inResourceLogs},
	inResourceLogs: {1: inResource, 2: inScopeLogs},
	inResource:     {1: inPair},
	inScopeLogs:    {1: inScope, 2: inLog},
	inScope:        {3: inPair},
	inLog:          {5: inValue, 6: inPair},
	inPair:         {2: inValue},
	inValue:        {5: inList, 6: inMap},
	inList:         {1: inValue},
	inMap:          {1: inPair},
}

// checkMessage counts the fields of a request before anything is made of it. What is
// malformed is left to the encoder, whose errors say where.
func checkMessage(message []byte) error {
	if len(message) > maxMessage {
		return fmt.Errorf("collector: a request of %d bytes, at most %d are taken: %w", len(message), maxMessage, errLarge)
	}
	n := 0
	if countFields(message, inRequest, 0, &n); n > maxFields {
		return fmt.Errorf("collector: the messages of the request have more than %d fields: %w", maxFields, errLarge)
	}
	return nil
}

func countFields(b []byte, message, depth int, n *int) {
	if depth > 256 { // the encoder refuses it
		return
	}
	for len(b) > 0 && *n <= maxFields {
		number, kind, size := protowire.ConsumeTag(b)
		if size < 0 {
			return
		}
		b = b[size:]
		if size = protowire.ConsumeFieldValue(number, kind, b); size < 0 {
			return
		}
		*n++
		if m, ok := inside[message][number]; ok && kind == protowire.BytesType {
			if v, _ := protowire.ConsumeBytes(b[:size]); len(v) > 0 {
				countFields(v, m, depth+1, n)
			}
		}
		b = b[size:]
	}
}
