package forge

import (
	"encoding/json"
	"fmt"
	"os"
)

// Job describes the pull request of a CI job, by the job's environment.
type Job struct {
	Host    string // "GitHub", "GitLab", or "" where the environment is of neither
	Forge   Forge  // nil where there is no pull request, or no token
	Why     string // why there is no Forge
	Base    string // the revision that the request is to be merged into, as a commit; "": not said
	Branch  string // its name
	Summary string // file for the summary of the job; "": none
}

// FromEnvironment reads the environment of a job.
func FromEnvironment(getenv func(string) string) (Job, error) {
	switch {
	case getenv("GITHUB_ACTIONS") == "true":
		return githubJob(getenv)
	case getenv("GITLAB_CI") == "true":
		return gitlabJob(getenv), nil
	}
	return Job{Why: "this is no job of GitHub or GitLab"}, nil
}

func githubJob(getenv func(string) string) (Job, error) {
	j := Job{Host: "GitHub", Summary: getenv("GITHUB_STEP_SUMMARY"), Branch: getenv("GITHUB_BASE_REF")}
	var event struct {
		PullRequest *struct {
			Number int `json:"number"`
			Base   struct {
				SHA string `json:"sha"`
				Ref string `json:"ref"`
			} `json:"base"`
		} `json:"pull_request"`
	}
	name := getenv("GITHUB_EVENT_PATH")
	text, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(text, &event)
	}
	if err != nil {
		return j, fmt.Errorf("the event of the job, which GITHUB_EVENT_PATH names: %w", err)
	}
	if event.PullRequest == nil {
		j.Why = "the job is not of a pull request"
		return j, nil
	}
	j.Base, j.Branch = event.PullRequest.Base.SHA, event.PullRequest.Base.Ref
	token, repo, api := getenv("GITHUB_TOKEN"), getenv("GITHUB_REPOSITORY"), getenv("GITHUB_API_URL")
	if token == "" {
		j.Why = "GITHUB_TOKEN is not set"
		return j, nil
	}
	j.Forge = NewGitHub(api, repo, event.PullRequest.Number, token)
	return j, nil
}

func gitlabJob(getenv func(string) string) Job {
	j := Job{Host: "GitLab", Base: getenv("CI_MERGE_REQUEST_DIFF_BASE_SHA"), Branch: getenv("CI_MERGE_REQUEST_TARGET_BRANCH_NAME")}
	number, token := getenv("CI_MERGE_REQUEST_IID"), getenv("POOLPROOF_TOKEN")
	switch {
	case number == "":
		j.Why = "the job is not of a merge request"
	case token == "":
		j.Why = "POOLPROOF_TOKEN is not set: a job's own token may not write notes"
	default:
		j.Forge = NewGitLab(getenv("CI_API_V4_URL"), getenv("CI_PROJECT_ID"), number, token)
	}
	return j
}
