package forge

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Error is a forge's answer to a request that it did not fulfil.
type Error struct {
	Method, URL string
	Status      int
	Message     string        // of the forge
	Limited     time.Duration // how long to wait, where there were too many requests; 0: another error
}

// Error says what was asked, what came back, and what to do.
func (e *Error) Error() string {
	text := fmt.Sprintf("%s %s: %d %s", e.Method, e.URL, e.Status, http.StatusText(e.Status))
	if e.Message != "" {
		text += ": " + e.Message
	}
	switch {
	case e.Limited > 0:
		text += fmt.Sprintf("; too many requests, the next one is allowed in %s", e.Limited.Round(time.Second))
	case e.Denied():
		text += "; the token may not write comments: on GitHub give the job permissions: pull-requests: write, on GitLab a token with the scope api"
	}
	return text
}

// Denied reports whether the token is not allowed to do that, as one of a pull request
// from a fork.
func (e *Error) Denied() bool {
	return e.Limited == 0 && (e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden || e.Status == http.StatusNotFound)
}

const (
	tries    = 4
	patience = time.Minute // for a forge that says when it will answer
	answer   = 30 * time.Second
	largest  = 32 << 20
)

// written is a comment as both forges take it.
type written struct {
	Body string `json:"body"`
}

// client sends requests with one set of headers.
type client struct {
	header http.Header
	sleep  func(ctx context.Context, d time.Duration) error // nil: really
}

// do sends a request, again where the forge fails or has too much to do, and reads the JSON
// that it answers. A request that may have been carried out is not sent again.
func (c *client) do(ctx context.Context, method, url string, body, into any) (http.Header, error) {
	for try := 1; ; try++ {
		header, err := c.once(ctx, method, url, body, into)
		wait, again := c.again(method, err, try)
		if !again || try == tries {
			return header, err
		}
		if err := c.wait(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// again tells whether and when to ask once more.
func (c *client) again(method string, err error, try int) (wait time.Duration, again bool) {
	wait = time.Second << (try - 1)
	failed, ok := err.(*Error)
	switch {
	case err == nil:
		return 0, false
	case !ok: // no answer
		return wait, method == http.MethodGet
	case failed.Limited > 0:
		return failed.Limited, failed.Limited <= patience
	}
	return wait, failed.Status >= 500 && method != http.MethodPost
}

func (c *client) wait(ctx context.Context, d time.Duration) error {
	if c.sleep != nil {
		return c.sleep(ctx, d)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

func (c *client) once(ctx context.Context, method, url string, body, into any) (http.Header, error) {
	ctx, cancel := context.WithTimeout(ctx, answer)
	defer cancel()
	var text io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		text = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(ctx, method, url, text)
	if err != nil {
		return nil, err
	}
	req.Header = c.header.Clone()
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(io.LimitReader(resp.Body, largest))
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, url, err)
	}
	if resp.StatusCode/100 != 2 {
		return nil, &Error{Method: method, URL: url, Status: resp.StatusCode, Message: messageOf(b), Limited: limited(resp, time.Now())}
	}
	if into != nil {
		if err := json.Unmarshal(b, into); err != nil {
			return nil, fmt.Errorf("%s %s: the answer is not what a forge says: %w", method, url, err)
		}
	}
	return resp.Header, nil
}

// messageOf takes what a forge says of an error out of its answer.
func messageOf(body []byte) string {
	var said struct {
		Message any    `json:"message"` // GitLab may give a list
		Error   string `json:"error"`
	}
	_ = json.Unmarshal(body, &said) // the page of a proxy is no JSON, and says nothing
	if said.Message != nil {
		return strings.TrimSpace(fmt.Sprint(said.Message))
	}
	return said.Error
}

// limited is how long to wait before the next request, 0 where the answer says nothing of
// a limit. GitHub and GitLab name their headers alike but for the prefix.
func limited(resp *http.Response, now time.Time) time.Duration {
	if resp.StatusCode != http.StatusForbidden && resp.StatusCode != http.StatusTooManyRequests {
		return 0
	}
	if s, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil {
		return max(time.Second, time.Duration(s)*time.Second)
	}
	for _, prefix := range []string{"X-RateLimit-", "RateLimit-"} {
		reset, err := strconv.ParseInt(resp.Header.Get(prefix+"Reset"), 10, 64)
		if err == nil && (resp.Header.Get(prefix+"Remaining") == "0" || resp.StatusCode == http.StatusTooManyRequests) {
			return max(time.Second, time.Unix(reset, 0).Sub(now))
		}
	}
	if resp.StatusCode == http.StatusTooManyRequests {
		return patience
	}
	return 0
}
