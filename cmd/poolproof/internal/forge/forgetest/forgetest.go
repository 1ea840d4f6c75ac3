// Package forgetest is a GitHub and a GitLab that hold one pull request, on the
// loopback interface, for tests.
package forgetest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Server is the fake forge. GitHub's requests are about pull request 7 of o/r, GitLab's about
// merge request 7 of project 42.
type Server struct {
	URL string

	server   *httptest.Server
	mu       sync.Mutex
	comments []Comment
	asked    []string
	fail     []Failure
}

// Comment is one that the forge holds.
type Comment struct {
	ID          int64
	Body        string
	User        int64  // of GitLab; the token's own is 1
	Type        string // of GitHub's user: "Bot" or "User"
	Association string // of GitHub's user
}

// Failure is the answer to the next request of a method, in place of the right one.
type Failure struct {
	Method string
	Status int
	Header map[string]string
	Body   string
}

// pageSize is the size of a page of comments: small, so that tests have several.
const pageSize = 2

// New starts a forge that ends with the test.
func New(t testing.TB) *Server {
	s := Start()
	t.Cleanup(s.Close)
	return s
}

// Start starts a forge, which is to be closed.
func Start() *Server {
	s := &Server{}
	s.server = httptest.NewServer(http.HandlerFunc(s.serve))
	s.URL = s.server.URL
	return s
}

// Close ends the forge.
func (s *Server) Close() { s.server.Close() }

// Comments are those that the forge holds.
func (s *Server) Comments() []Comment {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Comment(nil), s.comments...)
}

// Add stores a comment as if a person had written it.
func (s *Server) Add(c Comment) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(c)
}

func (s *Server) add(c Comment) {
	c.ID = int64(len(s.comments) + 1)
	s.comments = append(s.comments, c)
}

// Fail queues failures.
func (s *Server) Fail(f ...Failure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = append(s.fail, f...)
}

// Asked lists the methods and paths of all requests so far.
func (s *Server) Asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.asked...)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r.Method+" "+r.URL.Path)
	if len(s.fail) > 0 && s.fail[0].Method == r.Method {
		f := s.fail[0]
		s.fail = s.fail[1:]
		for name, value := range f.Header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(f.Status)
		fmt.Fprint(w, f.Body)
		return
	}
	github := r.Header.Get("Authorization") == "Bearer token"
	if !github && r.Header.Get("Private-Token") != "token" {
		http.Error(w, `{"message": "Bad credentials"}`, http.StatusUnauthorized)
		return
	}
	const hub, lab = "/repos/o/r/issues/7/comments", "/projects/42/merge_requests/7/notes"
	switch path := r.URL.Path; {
	case r.Method == http.MethodGet && path == "/user" && !github:
		fmt.Fprint(w, `{"id": 1}`)
	case r.Method == http.MethodGet && (path == hub && github || path == lab && !github):
		s.list(w, r, github)
	case r.Method == http.MethodPost && (path == hub && github || path == lab && !github):
		s.add(Comment{Body: body(w, r), User: 1, Type: "Bot", Association: "NONE"})
		w.WriteHeader(http.StatusCreated)
	case r.Method == http.MethodPatch && github && strings.HasPrefix(path, "/repos/o/r/issues/comments/"),
		r.Method == http.MethodPut && !github && strings.HasPrefix(path, lab+"/"):
		id, err := strconv.Atoi(path[strings.LastIndexByte(path, '/')+1:])
		if err != nil || id < 1 || id > len(s.comments) {
			http.NotFound(w, r)
			return
		}
		s.comments[id-1].Body = body(w, r)
	default:
		http.Error(w, `{"message": "Not Found"}`, http.StatusNotFound)
	}
}

func body(w http.ResponseWriter, r *http.Request) string {
	var sent struct{ Body string }
	if err := json.NewDecoder(r.Body).Decode(&sent); err != nil || sent.Body == "" {
		http.Error(w, `{"message": "body is missing"}`, http.StatusUnprocessableEntity)
	}
	return sent.Body
}

// list answers with one page, and with the way to the next.
func (s *Server) list(w http.ResponseWriter, r *http.Request, github bool) {
	page, _ := strconv.Atoi(r.URL.Query().Get("page"))
	page = max(page, 1)
	first := min((page-1)*pageSize, len(s.comments))
	last := min(first+pageSize, len(s.comments))
	if last < len(s.comments) && github {
		w.Header().Set("Link", fmt.Sprintf(`<%s%s?page=%d>; rel="next", <x>; rel="last"`, s.URL, r.URL.Path, page+1))
	}
	if last < len(s.comments) && !github {
		w.Header().Set("X-Next-Page", strconv.Itoa(page+1))
	}
	list := []map[string]any{}
	for _, c := range s.comments[first:last] {
		list = append(list, map[string]any{
			"id": c.ID, "body": c.Body, "author_association": c.Association, "user": map[string]any{"type": c.Type}, "author": map[string]any{"id": c.User},
		})
	}
	_ = json.NewEncoder(w).Encode(list)
}
