package oas

import "github.com/poolproof/poolproof/systems/oas/internal/grammar"

// ObjectKind is the kind of an object by the specification, such as a path item.
type ObjectKind uint8

// The kinds of objects. Free is a value that the specification says nothing of,
// such as an example or an extension, or none.
const (
	Free                      = ObjectKind(grammar.Free)
	DocumentObject            = ObjectKind(grammar.Document)
	InfoObject                = ObjectKind(grammar.Info)
	ContactObject             = ObjectKind(grammar.Contact)
	LicenseObject             = ObjectKind(grammar.License)
	ServerObject              = ObjectKind(grammar.Server)
	ServerVariableObject      = ObjectKind(grammar.ServerVariable)
	PathsObject               = ObjectKind(grammar.Paths)
	PathItemObject            = ObjectKind(grammar.PathItem)
	OperationObject           = ObjectKind(grammar.Operation)
	ExternalDocsObject        = ObjectKind(grammar.ExternalDocs)
	ParameterObject           = ObjectKind(grammar.Parameter)
	HeaderObject              = ObjectKind(grammar.Header)
	ItemsObject               = ObjectKind(grammar.Items) // of version 2.0
	RequestBodyObject         = ObjectKind(grammar.RequestBody)
	MediaTypeObject           = ObjectKind(grammar.MediaType)
	EncodingObject            = ObjectKind(grammar.Encoding)
	ResponsesObject           = ObjectKind(grammar.Responses)
	ResponseObject            = ObjectKind(grammar.Response)
	CallbackObject            = ObjectKind(grammar.Callback)
	ExampleObject             = ObjectKind(grammar.Example)
	LinkObject                = ObjectKind(grammar.Link)
	TagObject                 = ObjectKind(grammar.Tag)
	SchemaObject              = ObjectKind(grammar.Schema)
	DiscriminatorObject       = ObjectKind(grammar.Discriminator)
	XMLObject                 = ObjectKind(grammar.XML)
	SecuritySchemeObject      = ObjectKind(grammar.SecurityScheme)
	OAuthFlowsObject          = ObjectKind(grammar.OAuthFlows)
	OAuthFlowObject           = ObjectKind(grammar.OAuthFlow)
	SecurityRequirementObject = ObjectKind(grammar.SecurityRequirement)
	ComponentsObject          = ObjectKind(grammar.Components)
)

// String returns the name in lower case, such as "path item".
func (k ObjectKind) String() string { return grammar.Kind(k).String() }
