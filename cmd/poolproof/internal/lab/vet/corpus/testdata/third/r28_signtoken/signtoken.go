// Package signtoken makes signed tokens for links in mails.
package signtoken

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"sync"
	"time"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Signer has a key.
type Signer struct {
	key []byte
	now func() time.Time
}

var errLong = errors.New("signtoken: subject too long")

// Token returns a token for subject that is good for ttl.
func (s *Signer) Token(subject string, ttl time.Duration) (token []byte, err error) {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	defer func() {
		if err == nil {
			token = append([]byte(nil), b.Bytes()...)
		}
		bufs.Put(b)
	}()

	if len(subject) > 200 {
		err = errLong
		return
	}
	b.WriteString(subject)
	b.WriteByte('|')
	b.WriteString(s.now().Add(ttl).UTC().Format(time.RFC3339))
	mac := hmac.New(sha256.New, s.key)
	mac.Write(b.Bytes())
	b.WriteByte('|')
	enc := base64.NewEncoder(base64.RawURLEncoding, b)
	enc.Write(mac.Sum(nil))
	err = enc.Close()
	return
}
