package orderedjson

// Model is a document as structs, one for each object of the specification, as
// the published design has it beside the tree and the map. What a document does
// not have is nil or zero. What the specification does not name is in Extra.
type Model struct {
	OpenAPI      string               `yaml:"openapi"`
	Info         *Info                `yaml:"info"`
	Servers      []*Server            `yaml:"servers"`
	Paths        map[string]*PathItem `yaml:"paths"`
	Webhooks     map[string]*PathItem `yaml:"webhooks"`
	Components   *Components          `yaml:"components"`
	Tags         []*Tag               `yaml:"tags"`
	ExternalDocs *ExternalDocs        `yaml:"externalDocs"`
	Extra        map[string]any       `yaml:",inline"`

	document Document
}

// Document returns the tree and the map of the same source, if
// [ParseModel] has made them.
func (m *Model) Document() *Document { return &m.document }

// Info is an Info Object.
type Info struct {
	Title          string         `yaml:"title"`
	Summary        string         `yaml:"summary"`
	Description    string         `yaml:"description"`
	TermsOfService string         `yaml:"termsOfService"`
	Version        string         `yaml:"version"`
	Extra          map[string]any `yaml:",inline"`
}

// Server is a Server Object.
type Server struct {
	URL         string         `yaml:"url"`
	Description string         `yaml:"description"`
	Extra       map[string]any `yaml:",inline"`
}

// Tag is a Tag Object.
type Tag struct {
	Name         string         `yaml:"name"`
	Description  string         `yaml:"description"`
	ExternalDocs *ExternalDocs  `yaml:"externalDocs"`
	Extra        map[string]any `yaml:",inline"`
}

// ExternalDocs is an External Documentation Object.
type ExternalDocs struct {
	Description string         `yaml:"description"`
	URL         string         `yaml:"url"`
	Extra       map[string]any `yaml:",inline"`
}

// Components is a Components Object, of which the documents of the studies have
// schemas only.
type Components struct {
	Schemas map[string]*Schema `yaml:"schemas"`
	Extra   map[string]any     `yaml:",inline"`
}

// PathItem is a Path Item Object.
type PathItem struct {
	Ref         string         `yaml:"$ref"`
	Summary     string         `yaml:"summary"`
	Description string         `yaml:"description"`
	Get         *Operation     `yaml:"get"`
	Put         *Operation     `yaml:"put"`
	Post        *Operation     `yaml:"post"`
	Delete      *Operation     `yaml:"delete"`
	Options     *Operation     `yaml:"options"`
	Head        *Operation     `yaml:"head"`
	Patch       *Operation     `yaml:"patch"`
	Trace       *Operation     `yaml:"trace"`
	Query       *Operation     `yaml:"query"`
	Servers     []*Server      `yaml:"servers"`
	Parameters  []*Parameter   `yaml:"parameters"`
	Extra       map[string]any `yaml:",inline"`
}

// Operation is an Operation Object.
type Operation struct {
	Tags         []string              `yaml:"tags"`
	Summary      string                `yaml:"summary"`
	Description  string                `yaml:"description"`
	ExternalDocs *ExternalDocs         `yaml:"externalDocs"`
	OperationID  string                `yaml:"operationId"`
	Parameters   []*Parameter          `yaml:"parameters"`
	RequestBody  *RequestBody          `yaml:"requestBody"`
	Responses    *Responses            `yaml:"responses"`
	Deprecated   bool                  `yaml:"deprecated"`
	Security     []map[string][]string `yaml:"security"`
	Servers      []*Server             `yaml:"servers"`
	Extra        map[string]any        `yaml:",inline"`
}

// Responses is a Responses Object: Codes has all but default.
type Responses struct {
	Default *Response
	Codes   map[string]*Response
}

// Parameter is a Parameter Object.
type Parameter struct {
	Ref             string                `yaml:"$ref"`
	Name            string                `yaml:"name"`
	In              string                `yaml:"in"`
	Description     string                `yaml:"description"`
	Required        bool                  `yaml:"required"`
	Deprecated      bool                  `yaml:"deprecated"`
	AllowEmptyValue bool                  `yaml:"allowEmptyValue"`
	Style           string                `yaml:"style"`
	Explode         *bool                 `yaml:"explode"`
	AllowReserved   bool                  `yaml:"allowReserved"`
	Schema          *Schema               `yaml:"schema"`
	Example         any                   `yaml:"example"`
	Content         map[string]*MediaType `yaml:"content"`
	Extra           map[string]any        `yaml:",inline"`
}

// RequestBody is a Request Body Object.
type RequestBody struct {
	Ref         string                `yaml:"$ref"`
	Description string                `yaml:"description"`
	Content     map[string]*MediaType `yaml:"content"`
	Required    bool                  `yaml:"required"`
	Extra       map[string]any        `yaml:",inline"`
}

// Response is a Response Object.
type Response struct {
	Ref         string                `yaml:"$ref"`
	Description string                `yaml:"description"`
	Content     map[string]*MediaType `yaml:"content"`
	Extra       map[string]any        `yaml:",inline"`
}

// MediaType is a Media Type Object.
type MediaType struct {
	Schema  *Schema        `yaml:"schema"`
	Example any            `yaml:"example"`
	Extra   map[string]any `yaml:",inline"`
}
