package sarif

// The document as the schema has it, as far as poolproof uses it.

type document struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []run  `json:"runs"`
}

type run struct {
	Tool        tool         `json:"tool"`
	Automation  *automation  `json:"automationDetails,omitempty"`
	ColumnKind  string       `json:"columnKind"`
	Invocations []invocation `json:"invocations"`
	Results     []result     `json:"results"`
}

type tool struct {
	Driver driver `json:"driver"`
}

type driver struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	URL     string `json:"informationUri,omitempty"`
	Rules   []rule `json:"rules"`
}

type automation struct {
	ID string `json:"id"`
}

type invocation struct {
	Successful    bool           `json:"executionSuccessful"`
	Notifications []notification `json:"toolExecutionNotifications,omitempty"`
}

type notification struct {
	Level   Level   `json:"level"`
	Message message `json:"message"`
}

type rule struct {
	ID      string        `json:"id"`
	Name    string        `json:"name,omitempty"`
	Short   message       `json:"shortDescription"`
	Help    *help         `json:"help,omitempty"`
	URL     string        `json:"helpUri,omitempty"`
	Default configuration `json:"defaultConfiguration"`
}

type help struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown"`
}

type configuration struct {
	Level Level `json:"level"`
}

type message struct {
	Text string `json:"text"`
}

type result struct {
	RuleID    string     `json:"ruleId"`
	RuleIndex int        `json:"ruleIndex"`
	Level     Level      `json:"level"`
	Message   message    `json:"message"`
	Locations []location `json:"locations"`
	Related   []location `json:"relatedLocations,omitempty"`
	Fixes     []fix      `json:"fixes,omitempty"`
}

type location struct {
	ID       *int             `json:"id,omitempty"`
	Physical physicalLocation `json:"physicalLocation"`
	Message  *message         `json:"message,omitempty"`
}

type physicalLocation struct {
	Artifact artifact `json:"artifactLocation"`
	Region   *region  `json:"region,omitempty"`
}

type artifact struct {
	URI    string `json:"uri"`
	BaseID string `json:"uriBaseId,omitempty"`
}

type region struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
	EndLine     int `json:"endLine,omitempty"`
	EndColumn   int `json:"endColumn,omitempty"`
}

type fix struct {
	Description message  `json:"description"`
	Changes     []change `json:"artifactChanges"`
}

type change struct {
	Artifact     artifact      `json:"artifactLocation"`
	Replacements []replacement `json:"replacements"`
}

type replacement struct {
	Deleted  region   `json:"deletedRegion"`
	Inserted *message `json:"insertedContent,omitempty"`
}
