package forge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/forge/forgetest"
)

// forges are both kinds, for a fake server. waited collects how long they would have slept.
func forges(s *forgetest.Server, token string, waited *[]time.Duration) map[string]Forge {
	sleep := func(_ context.Context, d time.Duration) error {
		*waited = append(*waited, d)
		return nil
	}
	hub, lab := NewGitHub(s.URL, "o/r", 7, token), NewGitLab(s.URL, "42", "7", token)
	hub.sleep, lab.sleep = sleep, sleep
	return map[string]Forge{"GitHub": hub, "GitLab": lab}
}

// each runs a test with a fresh server of each kind.
func each(t *testing.T, f func(t *testing.T, s *forgetest.Server, f Forge, waited *[]time.Duration)) {
	for _, kind := range []string{"GitHub", "GitLab"} {
		t.Run(kind, func(t *testing.T) {
			s, waited := forgetest.New(t), new([]time.Duration)
			f(t, s, forges(s, "token", waited)[kind], waited)
		})
	}
}

func keep(t *testing.T, f Forge, text string, worth bool) Done {
	t.Helper()
	done, err := Keep(context.Background(), f, "job", text, worth)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func TestOneCommentIsKeptUpToDate(t *testing.T) {
	each(t, func(t *testing.T, s *forgetest.Server, f Forge, _ *[]time.Duration) {
		for i := range 3 { // others were there before, on more than a page
			s.Add(forgetest.Comment{Body: fmt.Sprint("talk ", i), User: 9, Type: "User", Association: "MEMBER"})
		}
		for _, step := range []struct {
			text  string
			worth bool
			want  Done
		}{
			{"nothing to report", false, Nothing},
			{"one", true, Created},
			{"one", true, Same},
			{"two", true, Updated},
			{"nothing to report", false, Updated}, // what was said before is not true any more
			{"nothing to report", false, Same},
		} {
			if got := keep(t, f, step.text, step.worth); got != step.want {
				t.Errorf("%s: %s, want %s", step.text, got, step.want)
			}
		}
		all := s.Comments()
		if len(all) != 4 || all[3].Body != "<!-- poolproof:job -->\nnothing to report" {
			t.Errorf("%+v", all)
		}
		if done, err := Keep(context.Background(), f, "other job", "x", true); err != nil || done != Created {
			t.Errorf("another job: %s, %v", done, err)
		}
	})
}

func TestTheCommentOfAStrangerIsNotOurs(t *testing.T) {
	each(t, func(t *testing.T, s *forgetest.Server, f Forge, _ *[]time.Duration) {
		s.Add(forgetest.Comment{Body: Mark("job") + "\nmalice", User: 9, Type: "User", Association: "CONTRIBUTOR"})
		s.Add(forgetest.Comment{Body: "> " + Mark("job") + "\nquoted", User: 1, Type: "Bot", Association: "NONE"})
		if got := keep(t, f, "text", true); got != Created {
			t.Errorf("%s", got)
		}
		if all := s.Comments(); all[0].Body != Mark("job")+"\nmalice" || len(all) != 3 {
			t.Errorf("%+v", all)
		}
	})
}

func TestACommentOfOurOwnTokenIsOurs(t *testing.T) {
	each(t, func(t *testing.T, s *forgetest.Server, f Forge, _ *[]time.Duration) {
		s.Add(forgetest.Comment{Body: Mark("job") + "\nold", User: 1, Type: "User", Association: "OWNER"})
		if got := keep(t, f, "text", true); got != Updated {
			t.Errorf("%s", got)
		}
	})
}

func TestEndsOfLinesAreNoDifference(t *testing.T) {
	each(t, func(t *testing.T, s *forgetest.Server, f Forge, _ *[]time.Duration) {
		s.Add(forgetest.Comment{Body: Mark("job") + "\r\na\r\nb\r\n", User: 1, Type: "Bot"})
		if got := keep(t, f, "a\nb\n", true); got != Same {
			t.Errorf("%s", got)
		}
	})
}

func TestAFailureOfTheForge(t *testing.T) {
	soon := fmt.Sprint(time.Now().Add(20 * time.Second).Unix())
	late := fmt.Sprint(time.Now().Add(50 * time.Minute).Unix())
	down := forgetest.Failure{Method: "GET", Status: 502, Body: "<html>"}
	tests := []struct {
		name    string
		fail    []forgetest.Failure
		want    string // part of the error; "": none
		denied  bool
		retries int
	}{
		{"it is down for a moment", []forgetest.Failure{down, down}, "", false, 2},
		{"it is down", []forgetest.Failure{down, down, down, down}, "502 Bad Gateway", false, 3},
		{"a comment may have been made", []forgetest.Failure{{Method: "POST", Status: 500}}, "500 Internal Server Error", false, 0},
		{"no permission", []forgetest.Failure{{Method: "POST", Status: 403, Body: `{"message": "Resource not accessible by integration"}`}}, "Resource not accessible by integration; the token may not write comments", true, 0},
		{"too many requests, for a while", []forgetest.Failure{{Method: "POST", Status: 403, Header: map[string]string{"Retry-After": "3"}}}, "", false, 1},
		{"too many requests in this hour, soon over", []forgetest.Failure{{Method: "GET", Status: 403, Header: map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": soon}}}, "", false, 1},
		{"too many requests in this hour", []forgetest.Failure{{Method: "GET", Status: 403, Header: map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": late}}}, "too many requests, the next one is allowed in ", false, 0},
		{"too many requests, as GitLab says it", []forgetest.Failure{{Method: "GET", Status: 429, Header: map[string]string{"RateLimit-Remaining": "0", "RateLimit-Reset": soon}}}, "", false, 1},
		{"too many requests, and no word of when", []forgetest.Failure{{Method: "POST", Status: 429}}, "", false, 1},
		{"too many requests, and no word of how many", []forgetest.Failure{{Method: "POST", Status: 429, Header: map[string]string{"RateLimit-Reset": late}}}, "too many requests, the next one is allowed in ", false, 0},
		{"forbidden, with requests left", []forgetest.Failure{{Method: "GET", Status: 403, Header: map[string]string{"X-RateLimit-Remaining": "7", "X-RateLimit-Reset": soon}}}, "403 Forbidden", true, 0},
		{"forbidden, and no word of when", []forgetest.Failure{{Method: "GET", Status: 403, Header: map[string]string{"X-RateLimit-Remaining": "0"}}}, "403 Forbidden", true, 0},
		{"wrong, in the last request of this hour", []forgetest.Failure{{Method: "POST", Status: 422, Header: map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": soon}}}, "422 Unprocessable Entity", false, 0},
		{"no such request, or none that the token sees", []forgetest.Failure{{Method: "POST", Status: 404}}, "404 Not Found", true, 0},
		{"no JSON", slices.Repeat([]forgetest.Failure{{Method: "GET", Status: 200, Body: "<html>"}}, 4), "the answer is not what a forge says", false, 3},
		{"a list of messages", []forgetest.Failure{{Method: "POST", Status: 422, Body: `{"message": {"note": ["is too long"]}}`}}, "is too long", false, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			each(t, func(t *testing.T, s *forgetest.Server, f Forge, waited *[]time.Duration) {
				s.Fail(tt.fail...)
				_, err := Keep(context.Background(), f, "job", "text", true)
				if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
					t.Errorf("%v, want %q", err, tt.want)
				}
				if failed := new(Error); errors.As(err, &failed) && failed.Denied() != tt.denied {
					t.Errorf("denied: %t", failed.Denied())
				}
				if len(*waited) != tt.retries {
					t.Errorf("waited %v, want %d times", *waited, tt.retries)
				}
				if n := len(s.Comments()); tt.want == "" && n != 1 || tt.want != "" && n != 0 {
					t.Errorf("%d comments", n)
				}
			})
		})
	}
}

func TestAWrongTokenIsDenied(t *testing.T) {
	s := forgetest.New(t)
	for kind, f := range forges(s, "wrong", new([]time.Duration)) {
		_, err := Keep(context.Background(), f, "job", "text", true)
		if failed := new(Error); !errors.As(err, &failed) || !failed.Denied() || failed.Message != "Bad credentials" {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

func TestALongTextIsCutAtALine(t *testing.T) {
	s := forgetest.New(t)
	f := NewGitHub(s.URL, "o/r", 7, "token")
	keep(t, f, strings.Repeat("a line of text\n", 10000), true)
	body := s.Comments()[0].Body
	if len(body) > f.Limit() || !strings.HasSuffix(body, "a line of text\n\n(The rest is in the summary of the job.)\n") {
		t.Errorf("%d bytes, ending in %q", len(body), body[len(body)-80:])
	}
}

func TestTheEnvironmentOfAJob(t *testing.T) {
	dir := t.TempDir()
	event := func(text string) string {
		name := filepath.Join(dir, fmt.Sprint(len(text))+".json")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	pull := event(`{"pull_request": {"number": 7, "base": {"sha": "abc", "ref": "main"}}}`)
	hub := map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_EVENT_PATH": pull, "GITHUB_TOKEN": "t", "GITHUB_REPOSITORY": "o/r", "GITHUB_API_URL": "http://x", "GITHUB_STEP_SUMMARY": "s"}
	lab := map[string]string{"GITLAB_CI": "true", "CI_MERGE_REQUEST_IID": "7", "CI_MERGE_REQUEST_DIFF_BASE_SHA": "abc", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main", "POOLPROOF_TOKEN": "t", "CI_PROJECT_ID": "42", "CI_API_V4_URL": "http://x"}
	without := func(env map[string]string, name, value string) map[string]string {
		c := map[string]string{}
		for k, v := range env {
			c[k] = v
		}
		c[name] = value
		return c
	}
	for name, tt := range map[string]struct {
		env  map[string]string
		want Job
		kind string
		err  string
	}{
		"nowhere":                       {nil, Job{Why: "this is no job of GitHub or GitLab"}, "<nil>", ""},
		"GitHub":                        {hub, Job{Host: "GitHub", Base: "abc", Branch: "main", Summary: "s"}, "*forge.GitHub", ""},
		"GitHub without a token":        {without(hub, "GITHUB_TOKEN", ""), Job{Host: "GitHub", Base: "abc", Branch: "main", Summary: "s", Why: "GITHUB_TOKEN is not set"}, "<nil>", ""},
		"GitHub, a push":                {without(hub, "GITHUB_EVENT_PATH", event(`{"ref": "x"}`)), Job{Host: "GitHub", Summary: "s", Why: "the job is not of a pull request"}, "<nil>", ""},
		"GitHub without an event":       {without(hub, "GITHUB_EVENT_PATH", "nowhere"), Job{}, "", "the event of the job, which GITHUB_EVENT_PATH names: open nowhere"},
		"GitHub, an event that is none": {without(hub, "GITHUB_EVENT_PATH", event(`{`)), Job{}, "", "unexpected end of JSON"},
		"GitLab":                        {lab, Job{Host: "GitLab", Base: "abc", Branch: "main"}, "*forge.GitLab", ""},
		"GitLab without a token":        {without(lab, "POOLPROOF_TOKEN", ""), Job{Host: "GitLab", Base: "abc", Branch: "main", Why: "POOLPROOF_TOKEN is not set: a job's own token may not write notes"}, "<nil>", ""},
		"GitLab, a branch":              {without(lab, "CI_MERGE_REQUEST_IID", ""), Job{Host: "GitLab", Base: "abc", Branch: "main", Why: "the job is not of a merge request"}, "<nil>", ""},
	} {
		got, err := FromEnvironment(func(k string) string { return tt.env[k] })
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		kind := fmt.Sprintf("%T", got.Forge)
		got.Forge = nil
		if err != nil || got != tt.want || kind != tt.kind {
			t.Errorf("%s: %v, %s %+v", name, err, kind, got)
		}
	}
}

func TestAMarkIsOneComment(t *testing.T) {
	if m := Mark("a-->b"); strings.Count(m, "-->") != 1 || !slices.Contains([]string{"<!-- poolproof:a- ->b -->"}, m) {
		t.Error(m)
	}
}
