package grammar

// Of holds the members that the specification allows in each kind of object, by version.
// Sources: OpenAPI Specification 2.0, 3.0.4, 3.1.2 and 3.2.0.
//
// A key that has two rules has the one of the earlier versions first.
var Of = [Kinds]Members{
	Document: {
		Rules: []Rule{
			{"swagger", V20, V20, text.or(Number)},
			{"openapi", since30, since30, text},
			{"$self", V32, 0, text},
			{"info", Every, Every, one(Info)},
			{"jsonSchemaDialect", Since31, 0, text},
			{"servers", since30, 0, listOf(Server)},
			{"host", V20, 0, text},
			{"basePath", V20, 0, text},
			{"schemes", V20, 0, texts},
			{"consumes", V20, 0, texts},
			{"produces", V20, 0, texts},
			{"paths", Every, V20 | V30, one(Paths)},
			{"webhooks", Since31, 0, mapOf(PathItem)},
			{"components", since30, 0, one(Components)},
			{"definitions", V20, 0, mapOf(Schema)},
			{"parameters", V20, 0, mapOf(Parameter)},
			{"responses", V20, 0, mapOf(Response)},
			{"securityDefinitions", V20, 0, mapOf(SecurityScheme)},
			{"security", Every, 0, listOf(SecurityRequirement)},
			{"tags", Every, 0, listOf(Tag)},
			{"externalDocs", Every, 0, one(ExternalDocs)},
		},
		Extensible: Every,
		AnyOf:      []string{"paths", "components", "webhooks"},
	},
	Info: {
		Rules: []Rule{
			{"title", Every, Every, text},
			{"summary", Since31, 0, text},
			{"description", Every, 0, text},
			{"termsOfService", Every, 0, text},
			{"contact", Every, 0, one(Contact)},
			{"license", Every, 0, one(License)},
			{"version", Every, Every, text},
		},
		Extensible: Every,
	},
	Contact: {
		Rules:      []Rule{{"name", Every, 0, text}, {"url", Every, 0, text}, {"email", Every, 0, text}},
		Extensible: Every,
	},
	License: {
		Rules:      []Rule{{"name", Every, Every, text}, {"identifier", Since31, 0, text}, {"url", Every, 0, text}},
		Extensible: Every,
		Excludes:   [][2]string{{"identifier", "url"}},
	},
	Server: {
		Rules: []Rule{
			{"url", since30, since30, text},
			{"description", since30, 0, text},
			{"name", V32, 0, text},
			{"variables", since30, 0, mapOf(ServerVariable)},
		},
		Extensible: Every,
	},
	ServerVariable: {
		Rules:      []Rule{{"enum", since30, 0, texts}, {"default", since30, since30, text}, {"description", since30, 0, text}},
		Extensible: Every,
	},
	Paths:    {Others: pathRule, Extensible: Every},
	Callback: {Others: alwaysRule(one(PathItem)), Extensible: Every, Refs: since30},
	PathItem: {
		Rules: []Rule{
			{"$ref", Every, 0, text},
			{"summary", since30, 0, text},
			{"description", since30, 0, text},
			{"get", Every, 0, one(Operation)},
			{"put", Every, 0, one(Operation)},
			{"post", Every, 0, one(Operation)},
			{"delete", Every, 0, one(Operation)},
			{"options", Every, 0, one(Operation)},
			{"head", Every, 0, one(Operation)},
			{"patch", Every, 0, one(Operation)},
			{"trace", since30, 0, one(Operation)},
			{"query", V32, 0, one(Operation)},
			{"additionalOperations", V32, 0, mapOf(Operation)},
			{"servers", since30, 0, listOf(Server)},
			{"parameters", Every, 0, listOf(Parameter)},
		},
		Extensible: Every,
	},
	Operation: {
		Rules: []Rule{
			{"tags", Every, 0, texts},
			{"summary", Every, 0, text},
			{"description", Every, 0, text},
			{"externalDocs", Every, 0, one(ExternalDocs)},
			{"operationId", Every, 0, text},
			{"consumes", V20, 0, texts},
			{"produces", V20, 0, texts},
			{"schemes", V20, 0, texts},
			{"parameters", Every, 0, listOf(Parameter)},
			{"requestBody", since30, 0, one(RequestBody)},
			{"responses", Every, V20 | V30, one(Responses)},
			{"callbacks", since30, 0, mapOf(Callback)},
			{"deprecated", Every, 0, boolean},
			{"security", Every, 0, listOf(SecurityRequirement)},
			{"servers", since30, 0, listOf(Server)},
		},
		Extensible: Every,
	},
	ExternalDocs: {
		Rules:      []Rule{{"description", Every, 0, text}, {"url", Every, Every, text}},
		Extensible: Every,
	},
	Parameter: {
		Rules: append([]Rule{
			{"name", Every, Every, text},
			{"in", V20, V20, word("query", "header", "path", "formData", "body")},
			{"in", since30, since30, word("query", "header", "path", "cookie", "querystring")},
			{"required", Every, 0, boolean},
			{"allowEmptyValue", Every, 0, boolean},
			{"style", since30, 0, word("matrix", "label", "simple", "form", "spaceDelimited", "pipeDelimited", "deepObject", "cookie")},
			{"allowReserved", since30, 0, boolean},
		}, parameterRules...),
		Extensible: Every, Refs: Every,
		Excludes: [][2]string{{"example", "examples"}, {"schema", "content"}, {"content", "style"}, {"content", "explode"}, {"content", "allowReserved"}},
	},
	Header: {
		Rules: append([]Rule{
			{"required", since30, 0, boolean},
			{"style", since30, 0, word("simple")},
		}, parameterRules...),
		Extensible: Every, Refs: since30,
		Excludes: [][2]string{{"example", "examples"}, {"schema", "content"}},
	},
	Items: {Rules: itemRules, Extensible: V20},
	RequestBody: {
		Rules: []Rule{
			{"description", since30, 0, text},
			{"content", since30, since30, mapOf(MediaType)},
			{"required", since30, 0, boolean},
		},
		Extensible: Every, Refs: since30,
	},
	MediaType: {
		Rules: []Rule{
			{"description", V32, 0, text},
			{"schema", since30, 0, one(Schema)},
			{"itemSchema", V32, 0, one(Schema)},
			{"example", since30, 0, free},
			{"examples", since30, 0, mapOf(Example)},
			{"encoding", since30, 0, mapOf(Encoding)},
			{"prefixEncoding", V32, 0, listOf(Encoding)},
			{"itemEncoding", V32, 0, one(Encoding)},
		},
		Extensible: Every, Refs: V32,
		Excludes: [][2]string{{"example", "examples"}, {"encoding", "prefixEncoding"}, {"encoding", "itemEncoding"}},
	},
	Encoding: {
		Rules: []Rule{
			{"contentType", since30, 0, text},
			{"headers", since30, 0, mapOf(Header)},
			{"style", since30, 0, word("form", "spaceDelimited", "pipeDelimited", "deepObject")},
			{"explode", since30, 0, boolean},
			{"allowReserved", since30, 0, boolean},
			{"encoding", V32, 0, mapOf(Encoding)},
			{"prefixEncoding", V32, 0, listOf(Encoding)},
			{"itemEncoding", V32, 0, one(Encoding)},
		},
		Extensible: Every,
		Excludes:   [][2]string{{"encoding", "prefixEncoding"}, {"encoding", "itemEncoding"}},
	},
	Responses: {
		Rules:      []Rule{{"default", Every, 0, one(Response)}},
		Others:     statusRule,
		Extensible: Every,
	},
	Response: {
		Rules: []Rule{
			{"summary", V32, 0, text},
			{"description", Every, V20 | V30 | V31, text},
			{"schema", V20, 0, one(Schema)},
			{"examples", V20, 0, freeMap},
			{"headers", Every, 0, mapOf(Header)},
			{"content", since30, 0, mapOf(MediaType)},
			{"links", since30, 0, mapOf(Link)},
		},
		Extensible: Every, Refs: Every,
	},
	Example: {
		Rules: []Rule{
			{"summary", since30, 0, text},
			{"description", since30, 0, text},
			{"value", since30, 0, free},
			{"externalValue", since30, 0, text},
			{"dataValue", V32, 0, free},
			{"serializedValue", V32, 0, text},
		},
		Extensible: Every, Refs: since30,
		Excludes: [][2]string{{"value", "externalValue"}, {"value", "dataValue"}, {"value", "serializedValue"}, {"externalValue", "serializedValue"}},
	},
	Link: {
		Rules: []Rule{
			{"operationRef", since30, 0, text},
			{"operationId", since30, 0, text},
			{"parameters", since30, 0, freeMap},
			{"requestBody", since30, 0, free},
			{"description", since30, 0, text},
			{"server", since30, 0, one(Server)},
		},
		Extensible: Every, Refs: since30,
		Excludes: [][2]string{{"operationRef", "operationId"}},
	},
	Tag: {
		Rules: []Rule{
			{"name", Every, Every, text},
			{"summary", V32, 0, text},
			{"description", Every, 0, text},
			{"externalDocs", Every, 0, one(ExternalDocs)},
			{"parent", V32, 0, text},
			{"kind", V32, 0, text},
		},
		Extensible: Every,
	},
	Schema: {
		Rules:      schemaRules,
		Extensible: Every, Open: Since31, Refs: Every,
	},
	Discriminator: {
		Rules: []Rule{
			{"propertyName", since30, since30, text},
			{"mapping", since30, 0, textMap},
			{"defaultMapping", V32, 0, text},
		},
		Extensible: Since31,
	},
	XML: {
		Rules: []Rule{
			{"name", Every, 0, text},
			{"namespace", Every, 0, text},
			{"prefix", Every, 0, text},
			{"attribute", Every, 0, boolean},
			{"wrapped", Every, 0, boolean},
			{"nodeType", V32, 0, word("element", "attribute", "text", "cdata", "none")},
		},
		Extensible: Every,
		Excludes:   [][2]string{{"nodeType", "attribute"}, {"nodeType", "wrapped"}},
	},
	SecurityScheme: {
		Rules: []Rule{
			{"type", V20, V20, word("basic", "apiKey", "oauth2")},
			{"type", since30, since30, word("apiKey", "http", "mutualTLS", "oauth2", "openIdConnect")},
			{"description", Every, 0, text},
			{"name", Every, 0, text},
			{"in", Every, 0, word("query", "header", "cookie")},
			{"scheme", since30, 0, text},
			{"bearerFormat", since30, 0, text},
			{"flows", since30, 0, one(OAuthFlows)},
			{"openIdConnectUrl", since30, 0, text},
			{"oauth2MetadataUrl", V32, 0, text},
			{"deprecated", V32, 0, boolean},
			{"flow", V20, 0, word("implicit", "password", "application", "accessCode")},
			{"authorizationUrl", V20, 0, text},
			{"tokenUrl", V20, 0, text},
			{"scopes", V20, 0, textMap},
		},
		Extensible: Every, Refs: since30,
	},
	OAuthFlows: {
		Rules: []Rule{
			{"implicit", since30, 0, one(OAuthFlow)},
			{"password", since30, 0, one(OAuthFlow)},
			{"clientCredentials", since30, 0, one(OAuthFlow)},
			{"authorizationCode", since30, 0, one(OAuthFlow)},
			{"deviceAuthorization", V32, 0, one(OAuthFlow)},
		},
		Extensible: Every,
	},
	OAuthFlow: {
		Rules: []Rule{
			{"authorizationUrl", since30, 0, text},
			{"deviceAuthorizationUrl", V32, 0, text},
			{"tokenUrl", since30, 0, text},
			{"refreshUrl", since30, 0, text},
			{"scopes", since30, since30, textMap},
		},
		Extensible: Every,
	},
	SecurityRequirement: {Others: alwaysRule(texts)},
	Components: {
		Rules: []Rule{
			{"schemas", since30, 0, mapOf(Schema)},
			{"responses", since30, 0, mapOf(Response)},
			{"parameters", since30, 0, mapOf(Parameter)},
			{"examples", since30, 0, mapOf(Example)},
			{"requestBodies", since30, 0, mapOf(RequestBody)},
			{"headers", since30, 0, mapOf(Header)},
			{"securitySchemes", since30, 0, mapOf(SecurityScheme)},
			{"links", since30, 0, mapOf(Link)},
			{"callbacks", since30, 0, mapOf(Callback)},
			{"pathItems", Since31, 0, mapOf(PathItem)},
			{"mediaTypes", V32, 0, mapOf(MediaType)},
		},
		Extensible: Every,
	},
}

func alwaysRule(v Value) func([]byte) *Rule {
	r := &Rule{Versions: Every, Value: v}
	return func([]byte) *Rule { return r }
}

var (
	aPath     = &Rule{Versions: Every, Value: one(PathItem)}
	aResponse = &Rule{Versions: Every, Value: one(Response)}
)

func pathRule(key []byte) *Rule {
	if len(key) > 0 && key[0] == '/' {
		return aPath
	}
	return nil
}

// statusRule knows 200, and 2XX since version 3.0.
func statusRule(key []byte) *Rule {
	if len(key) != 3 || key[0] < '1' || key[0] > '5' {
		return nil
	}
	if key[1] == 'X' && key[2] == 'X' || key[1]-'0' <= 9 && key[2]-'0' <= 9 {
		return aResponse
	}
	return nil
}
