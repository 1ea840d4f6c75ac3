// Right: flag is set right after Get
package r4

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
	s.admin = user == "root"
}

func Allowed(user string) bool {
	s := sessions.Get().(*session)
	defer sessions.Put(s)
	s.login(user)
	return s.admin
}
