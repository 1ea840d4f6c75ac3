// Package shards holds manifests that record one question on several machines: a
// Job of Kubernetes, and a workflow of GitHub.
package shards

import (
	"os"
	"regexp"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	"sigs.k8s.io/yaml"
)

// TestTheJobFollowsItsSchema reads the manifest into Kubernetes' own types, and refuses fields
// that they do not have.
func TestTheJobFollowsItsSchema(t *testing.T) {
	text, err := os.ReadFile("job.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var job batchv1.Job
	if err := yaml.UnmarshalStrict(text, &job); err != nil {
		t.Fatal(err)
	}
	spec := job.Spec
	switch {
	case job.APIVersion != "batch/v1" || job.Kind != "Job" || job.Name == "":
		t.Errorf("%s %s %s", job.APIVersion, job.Kind, job.Name)
	case spec.CompletionMode == nil || *spec.CompletionMode != batchv1.IndexedCompletion:
		t.Error("the Job is not Indexed: its pods would not know which shard they are")
	case spec.Completions == nil || spec.Parallelism == nil || *spec.Completions != *spec.Parallelism:
		t.Error("not all shards run at once")
	}
	command := strings.Join(spec.Template.Spec.Containers[0].Command, " ")
	m := regexp.MustCompile(`-shard \$\(\(JOB_COMPLETION_INDEX \+ 1\)\)/(\d+) `).FindStringSubmatch(command)
	if m == nil || m[1] != "4" || *spec.Completions != 4 {
		t.Errorf("%d completions, and the command is %s", *spec.Completions, command)
	}
	c := spec.Template.Spec.Containers[0]
	if !c.Resources.Requests.Cpu().Equal(*c.Resources.Limits.Cpu()) {
		t.Error("requests and limits differ: the pod does not have its processors to itself")
	}
	if mounted := c.VolumeMounts[0].Name; mounted != spec.Template.Spec.Volumes[0].Name {
		t.Errorf("the volume %s is not there", mounted)
	}
}
