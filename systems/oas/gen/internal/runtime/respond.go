//lint:file-ignore U1000 the generator copies what a package needs

package runtime

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// failed answers if the method has returned an error.
func (in *input) failed(err error) bool {
	if err == nil {
		return false
	}
	var e *APIError
	if !errors.As(err, &e) || e.StatusCode < 200 || e.StatusCode > 999 {
		in.report(err)
		http.Error(in.writer, "internal server error", http.StatusInternalServerError)
		return true
	}
	in.head(e.Header)
	if in.writer.Header().Get("Content-Type") == "" && json.Valid(e.Body) {
		in.writer.Header().Set("Content-Type", "application/json")
	}
	in.writer.WriteHeader(e.StatusCode)
	in.write(e.Body)
	return true
}

func (in *input) head(header http.Header) {
	for key, values := range header {
		in.writer.Header()[http.CanonicalHeaderKey(key)] = values
	}
}

// begin writes the head of an answer, and reports whether its body may follow.
func (in *input) begin(status, usual int, header http.Header, contentType string) bool {
	if status == 0 {
		status = usual
	}
	if status < 200 || status > 999 {
		in.failed(fmt.Errorf("%s answers with the status %d", in.Route.Operation, status))
		return false
	}
	in.head(header)
	if contentType != "" && in.writer.Header().Get("Content-Type") == "" {
		in.writer.Header().Set("Content-Type", contentType)
	}
	in.writer.WriteHeader(status)
	return status != http.StatusNoContent && status != http.StatusNotModified
}

// answerBare answers without a body.
func answerBare[T any](in *input, usual int, a *Answer[T]) {
	if a == nil {
		a = new(Answer[T])
	}
	in.begin(a.Status, usual, a.Header, "")
}

// answerJSON answers with a body in JSON.
func answerJSON[T any](in *input, status, usual int, header http.Header, contentType string, body T) {
	b, err := json.Marshal(body)
	if err != nil {
		in.failed(fmt.Errorf("the answer of %s: %w", in.Route.Operation, err))
		return
	}
	if in.begin(status, usual, header, contentType) {
		in.write(notNull(b, body))
	}
}

// answerStream answers with what a body has, piece by piece, and closes it.
func answerStream(in *input, status, usual int, header http.Header, contentType string, body io.ReadCloser) {
	if body == nil {
		body = http.NoBody
	}
	defer body.Close()
	if !in.begin(status, usual, header, contentType) {
		return
	}
	flush := http.NewResponseController(in.writer)
	buffer := make([]byte, 32<<10)
	for {
		n, err := body.Read(buffer)
		if n > 0 {
			if _, wrong := in.writer.Write(buffer[:n]); wrong != nil {
				in.report(wrong)
				return
			}
			flush.Flush()
		}
		if err == io.EOF {
			return
		}
		if err != nil { // the client must see that the body is not whole
			in.report(err)
			panic(http.ErrAbortHandler)
		}
	}
}

// answerEvents answers with server-sent events.
func answerEvents(in *input, status, usual int, header http.Header, events Events) {
	if !in.begin(status, usual, header, "text/event-stream") || events == nil {
		return
	}
	flush := http.NewResponseController(in.writer)
	flush.Flush()
	line := strings.NewReplacer("\r", "", "\n", "")
	for e, err := range events {
		if err != nil {
			in.report(err)
			panic(http.ErrAbortHandler)
		}
		var b strings.Builder
		if e.ID != "" {
			b.WriteString("id: " + line.Replace(e.ID) + "\n")
		}
		if e.Name != "" {
			b.WriteString("event: " + line.Replace(e.Name) + "\n")
		}
		if e.Retry > 0 {
			b.WriteString("retry: " + strconv.FormatInt(e.Retry.Milliseconds(), 10) + "\n")
		}
		for part := range strings.SplitSeq(strings.ReplaceAll(strings.ReplaceAll(e.Data, "\r\n", "\n"), "\r", "\n"), "\n") {
			b.WriteString("data: " + part + "\n")
		}
		if _, err := io.WriteString(in.writer, b.String()+"\n"); err != nil {
			in.report(err)
			return
		}
		if err := flush.Flush(); err != nil || in.Context().Err() != nil {
			in.report(errors.Join(err, in.Context().Err()))
			return
		}
	}
}
