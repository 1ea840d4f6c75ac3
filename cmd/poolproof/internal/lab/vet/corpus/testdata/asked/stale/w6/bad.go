// Wrong: a flag that one function sets and nobody clears
package w6

import (
	"sync"
)

type session struct {
	admin bool
	user  string
}

var sessions = sync.Pool{New: func() any { return new(session) }}

func (s *session) login(user string) {
	s.user = user
	if user == "root" {
		s.admin = true
	}
}

func Allowed(user string) bool {
	s := sessions.Get().(*session)
	defer sessions.Put(s)
	s.login(user)
	return s.admin // want "PV011" nobody clears admin
}
