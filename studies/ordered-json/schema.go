package orderedjson

// Schema is a Schema Object, with the keywords of all versions. A field of type
// any whose value is a mapping or a list of mappings holds a *Schema or a
// []*Schema.
type Schema struct {
	Ref         string `yaml:"$ref"`
	Dialect     string `yaml:"$schema"`
	ID          string `yaml:"$id"`
	Anchor      string `yaml:"$anchor"`
	Comment     string `yaml:"$comment"`
	Title       string `yaml:"title"`
	Description string `yaml:"description"`
	Default     any    `yaml:"default"`
	Example     any    `yaml:"example"`
	Examples    []any  `yaml:"examples"`

	Type   any    `yaml:"type"`
	Format string `yaml:"format"`
	Enum   []any  `yaml:"enum"`
	Const  any    `yaml:"const"`

	MultipleOf       *float64 `yaml:"multipleOf"`
	Maximum          *float64 `yaml:"maximum"`
	ExclusiveMaximum any      `yaml:"exclusiveMaximum"`
	Minimum          *float64 `yaml:"minimum"`
	ExclusiveMinimum any      `yaml:"exclusiveMinimum"`

	MaxLength       *int    `yaml:"maxLength"`
	MinLength       *int    `yaml:"minLength"`
	Pattern         string  `yaml:"pattern"`
	ContentEncoding string  `yaml:"contentEncoding"`
	ContentType     string  `yaml:"contentMediaType"`
	ContentSchema   *Schema `yaml:"contentSchema"`

	Items            any       `yaml:"items"`
	PrefixItems      []*Schema `yaml:"prefixItems"`
	AdditionalItems  any       `yaml:"additionalItems"`
	UnevaluatedItems any       `yaml:"unevaluatedItems"`
	Contains         *Schema   `yaml:"contains"`
	MaxItems         *int      `yaml:"maxItems"`
	MinItems         *int      `yaml:"minItems"`
	MaxContains      *int      `yaml:"maxContains"`
	MinContains      *int      `yaml:"minContains"`
	UniqueItems      bool      `yaml:"uniqueItems"`

	Properties            map[string]*Schema  `yaml:"properties"`
	PatternProperties     map[string]*Schema  `yaml:"patternProperties"`
	AdditionalProperties  any                 `yaml:"additionalProperties"`
	UnevaluatedProperties any                 `yaml:"unevaluatedProperties"`
	PropertyNames         *Schema             `yaml:"propertyNames"`
	DependentSchemas      map[string]*Schema  `yaml:"dependentSchemas"`
	DependentRequired     map[string][]string `yaml:"dependentRequired"`
	Required              []string            `yaml:"required"`
	MaxProperties         *int                `yaml:"maxProperties"`
	MinProperties         *int                `yaml:"minProperties"`

	AllOf []*Schema          `yaml:"allOf"`
	AnyOf []*Schema          `yaml:"anyOf"`
	OneOf []*Schema          `yaml:"oneOf"`
	Not   *Schema            `yaml:"not"`
	If    *Schema            `yaml:"if"`
	Then  *Schema            `yaml:"then"`
	Else  *Schema            `yaml:"else"`
	Defs  map[string]*Schema `yaml:"$defs"`

	Nullable     bool           `yaml:"nullable"`
	ReadOnly     bool           `yaml:"readOnly"`
	WriteOnly    bool           `yaml:"writeOnly"`
	Deprecated   bool           `yaml:"deprecated"`
	ExternalDocs *ExternalDocs  `yaml:"externalDocs"`
	Extra        map[string]any `yaml:",inline"`
}
