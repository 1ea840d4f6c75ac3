package sariftest

import "testing"

func TestTheSchemaRefusesWhatIsNoLog(t *testing.T) {
	const result = `{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "poolproof"}}, "results": [{"message": {"text": "m"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "a.go"}, "region": {"startLine": `
	for name, c := range map[string]struct {
		log   string
		valid bool
	}{
		"a log":                     {result + `1}}}]}]}]}`, true},
		"a line before 1":           {result + `0}}}]}]}]}`, false},
		"a line that is text":       {result + `"1"}}}]}]}]}`, false},
		"a field that nobody knows": {result + `1, "line": 1}}}]}]}]}`, false},
		"no tool":                   {`{"version": "2.1.0", "runs": [{}]}`, false},
		"another version":           {`{"version": "2.0.0", "runs": []}`, false},
		"no runs":                   {`{"version": "2.1.0"}`, false},
		"no JSON":                   {`{"version": "2.1.0"`, false},
	} {
		if err := Validate([]byte(c.log)); (err == nil) != c.valid {
			t.Errorf("%s: %v", name, err)
		}
	}
}
