package oas

// grammar holds the members that the specification allows in each kind of object, by version,
// in one table: [Cursor.ObjectKind] and [Doc.Check] read it. Sources: OpenAPI
// Specification 2.0, 3.0.4, 3.1.2 and 3.2.0.
//
// A key that has two rules has the one of the earlier versions first.
var grammar = [kinds]object{
	DocumentObject: {
		rules: []rule{
			{"swagger", V20, V20, text.or(Number)},
			{"openapi", since30, since30, text},
			{"$self", V32, 0, text},
			{"info", everyVersion, everyVersion, one(InfoObject)},
			{"jsonSchemaDialect", since31, 0, text},
			{"servers", since30, 0, listOf(ServerObject)},
			{"host", V20, 0, text},
			{"basePath", V20, 0, text},
			{"schemes", V20, 0, texts},
			{"consumes", V20, 0, texts},
			{"produces", V20, 0, texts},
			{"paths", everyVersion, V20 | V30, one(PathsObject)},
			{"webhooks", since31, 0, mapOf(PathItemObject)},
			{"components", since30, 0, one(ComponentsObject)},
			{"definitions", V20, 0, mapOf(SchemaObject)},
			{"parameters", V20, 0, mapOf(ParameterObject)},
			{"responses", V20, 0, mapOf(ResponseObject)},
			{"securityDefinitions", V20, 0, mapOf(SecuritySchemeObject)},
			{"security", everyVersion, 0, listOf(SecurityRequirementObject)},
			{"tags", everyVersion, 0, listOf(TagObject)},
			{"externalDocs", everyVersion, 0, one(ExternalDocsObject)},
		},
		extensible: everyVersion,
		anyOf:      []string{"paths", "components", "webhooks"},
	},
	InfoObject: {
		rules: []rule{
			{"title", everyVersion, everyVersion, text},
			{"summary", since31, 0, text},
			{"description", everyVersion, 0, text},
			{"termsOfService", everyVersion, 0, text},
			{"contact", everyVersion, 0, one(ContactObject)},
			{"license", everyVersion, 0, one(LicenseObject)},
			{"version", everyVersion, everyVersion, text},
		},
		extensible: everyVersion,
	},
	ContactObject: {
		rules:      []rule{{"name", everyVersion, 0, text}, {"url", everyVersion, 0, text}, {"email", everyVersion, 0, text}},
		extensible: everyVersion,
	},
	LicenseObject: {
		rules:      []rule{{"name", everyVersion, everyVersion, text}, {"identifier", since31, 0, text}, {"url", everyVersion, 0, text}},
		extensible: everyVersion,
		excludes:   [][2]string{{"identifier", "url"}},
	},
	ServerObject: {
		rules: []rule{
			{"url", since30, since30, text},
			{"description", since30, 0, text},
			{"name", V32, 0, text},
			{"variables", since30, 0, mapOf(ServerVariableObject)},
		},
		extensible: everyVersion,
	},
	ServerVariableObject: {
		rules:      []rule{{"enum", since30, 0, texts}, {"default", since30, since30, text}, {"description", since30, 0, text}},
		extensible: everyVersion,
	},
	PathsObject:    {others: pathRule, extensible: everyVersion},
	CallbackObject: {others: alwaysRule(one(PathItemObject)), extensible: everyVersion, refs: since30},
	PathItemObject: {
		rules: []rule{
			{"$ref", everyVersion, 0, text},
			{"summary", since30, 0, text},
			{"description", since30, 0, text},
			{"get", everyVersion, 0, one(OperationObject)},
			{"put", everyVersion, 0, one(OperationObject)},
			{"post", everyVersion, 0, one(OperationObject)},
			{"delete", everyVersion, 0, one(OperationObject)},
			{"options", everyVersion, 0, one(OperationObject)},
			{"head", everyVersion, 0, one(OperationObject)},
			{"patch", everyVersion, 0, one(OperationObject)},
			{"trace", since30, 0, one(OperationObject)},
			{"query", V32, 0, one(OperationObject)},
			{"additionalOperations", V32, 0, mapOf(OperationObject)},
			{"servers", since30, 0, listOf(ServerObject)},
			{"parameters", everyVersion, 0, listOf(ParameterObject)},
		},
		extensible: everyVersion,
	},
	OperationObject: {
		rules: []rule{
			{"tags", everyVersion, 0, texts},
			{"summary", everyVersion, 0, text},
			{"description", everyVersion, 0, text},
			{"externalDocs", everyVersion, 0, one(ExternalDocsObject)},
			{"operationId", everyVersion, 0, text},
			{"consumes", V20, 0, texts},
			{"produces", V20, 0, texts},
			{"schemes", V20, 0, texts},
			{"parameters", everyVersion, 0, listOf(ParameterObject)},
			{"requestBody", since30, 0, one(RequestBodyObject)},
			{"responses", everyVersion, V20 | V30, one(ResponsesObject)},
			{"callbacks", since30, 0, mapOf(CallbackObject)},
			{"deprecated", everyVersion, 0, boolean},
			{"security", everyVersion, 0, listOf(SecurityRequirementObject)},
			{"servers", since30, 0, listOf(ServerObject)},
		},
		extensible: everyVersion,
	},
	ExternalDocsObject: {
		rules:      []rule{{"description", everyVersion, 0, text}, {"url", everyVersion, everyVersion, text}},
		extensible: everyVersion,
	},
	ParameterObject: {
		rules: append([]rule{
			{"name", everyVersion, everyVersion, text},
			{"in", V20, V20, word("query", "header", "path", "formData", "body")},
			{"in", since30, since30, word("query", "header", "path", "cookie", "querystring")},
			{"required", everyVersion, 0, boolean},
			{"allowEmptyValue", everyVersion, 0, boolean},
			{"style", since30, 0, word("matrix", "label", "simple", "form", "spaceDelimited", "pipeDelimited", "deepObject", "cookie")},
			{"allowReserved", since30, 0, boolean},
		}, parameterRules...),
		extensible: everyVersion, refs: everyVersion,
		excludes: [][2]string{{"example", "examples"}, {"schema", "content"}, {"content", "style"}, {"content", "explode"}, {"content", "allowReserved"}},
	},
	HeaderObject: {
		rules: append([]rule{
			{"required", since30, 0, boolean},
			{"style", since30, 0, word("simple")},
		}, parameterRules...),
		extensible: everyVersion, refs: since30,
		excludes: [][2]string{{"example", "examples"}, {"schema", "content"}},
	},
	ItemsObject: {rules: itemRules, extensible: V20},
	RequestBodyObject: {
		rules: []rule{
			{"description", since30, 0, text},
			{"content", since30, since30, mapOf(MediaTypeObject)},
			{"required", since30, 0, boolean},
		},
		extensible: everyVersion, refs: since30,
	},
	MediaTypeObject: {
		rules: []rule{
			{"description", V32, 0, text},
			{"schema", since30, 0, one(SchemaObject)},
			{"itemSchema", V32, 0, one(SchemaObject)},
			{"example", since30, 0, free},
			{"examples", since30, 0, mapOf(ExampleObject)},
			{"encoding", since30, 0, mapOf(EncodingObject)},
			{"prefixEncoding", V32, 0, listOf(EncodingObject)},
			{"itemEncoding", V32, 0, one(EncodingObject)},
		},
		extensible: everyVersion, refs: V32,
		excludes: [][2]string{{"example", "examples"}, {"encoding", "prefixEncoding"}, {"encoding", "itemEncoding"}},
	},
	EncodingObject: {
		rules: []rule{
			{"contentType", since30, 0, text},
			{"headers", since30, 0, mapOf(HeaderObject)},
			{"style", since30, 0, word("form", "spaceDelimited", "pipeDelimited", "deepObject")},
			{"explode", since30, 0, boolean},
			{"allowReserved", since30, 0, boolean},
			{"encoding", V32, 0, mapOf(EncodingObject)},
			{"prefixEncoding", V32, 0, listOf(EncodingObject)},
			{"itemEncoding", V32, 0, one(EncodingObject)},
		},
		extensible: everyVersion,
		excludes:   [][2]string{{"encoding", "prefixEncoding"}, {"encoding", "itemEncoding"}},
	},
	ResponsesObject: {
		rules:      []rule{{"default", everyVersion, 0, one(ResponseObject)}},
		others:     statusRule,
		extensible: everyVersion,
	},
	ResponseObject: {
		rules: []rule{
			{"summary", V32, 0, text},
			{"description", everyVersion, V20 | V30 | V31, text},
			{"schema", V20, 0, one(SchemaObject)},
			{"examples", V20, 0, freeMap},
			{"headers", everyVersion, 0, mapOf(HeaderObject)},
			{"content", since30, 0, mapOf(MediaTypeObject)},
			{"links", since30, 0, mapOf(LinkObject)},
		},
		extensible: everyVersion, refs: everyVersion,
	},
	ExampleObject: {
		rules: []rule{
			{"summary", since30, 0, text},
			{"description", since30, 0, text},
			{"value", since30, 0, free},
			{"externalValue", since30, 0, text},
			{"dataValue", V32, 0, free},
			{"serializedValue", V32, 0, text},
		},
		extensible: everyVersion, refs: since30,
		excludes: [][2]string{{"value", "externalValue"}, {"value", "dataValue"}, {"value", "serializedValue"}, {"externalValue", "serializedValue"}},
	},
	LinkObject: {
		rules: []rule{
			{"operationRef", since30, 0, text},
			{"operationId", since30, 0, text},
			{"parameters", since30, 0, freeMap},
			{"requestBody", since30, 0, free},
			{"description", since30, 0, text},
			{"server", since30, 0, one(ServerObject)},
		},
		extensible: everyVersion, refs: since30,
		excludes: [][2]string{{"operationRef", "operationId"}},
	},
	TagObject: {
		rules: []rule{
			{"name", everyVersion, everyVersion, text},
			{"summary", V32, 0, text},
			{"description", everyVersion, 0, text},
			{"externalDocs", everyVersion, 0, one(ExternalDocsObject)},
			{"parent", V32, 0, text},
			{"kind", V32, 0, text},
		},
		extensible: everyVersion,
	},
	SchemaObject: {
		rules:      schemaRules,
		extensible: everyVersion, open: since31, refs: everyVersion,
	},
	DiscriminatorObject: {
		rules: []rule{
			{"propertyName", since30, since30, text},
			{"mapping", since30, 0, textMap},
			{"defaultMapping", V32, 0, text},
		},
		extensible: since31,
	},
	XMLObject: {
		rules: []rule{
			{"name", everyVersion, 0, text},
			{"namespace", everyVersion, 0, text},
			{"prefix", everyVersion, 0, text},
			{"attribute", everyVersion, 0, boolean},
			{"wrapped", everyVersion, 0, boolean},
			{"nodeType", V32, 0, word("element", "attribute", "text", "cdata", "none")},
		},
		extensible: everyVersion,
		excludes:   [][2]string{{"nodeType", "attribute"}, {"nodeType", "wrapped"}},
	},
	SecuritySchemeObject: {
		rules: []rule{
			{"type", V20, V20, word("basic", "apiKey", "oauth2")},
			{"type", since30, since30, word("apiKey", "http", "mutualTLS", "oauth2", "openIdConnect")},
			{"description", everyVersion, 0, text},
			{"name", everyVersion, 0, text},
			{"in", everyVersion, 0, word("query", "header", "cookie")},
			{"scheme", since30, 0, text},
			{"bearerFormat", since30, 0, text},
			{"flows", since30, 0, one(OAuthFlowsObject)},
			{"openIdConnectUrl", since30, 0, text},
			{"oauth2MetadataUrl", V32, 0, text},
			{"deprecated", V32, 0, boolean},
			{"flow", V20, 0, word("implicit", "password", "application", "accessCode")},
			{"authorizationUrl", V20, 0, text},
			{"tokenUrl", V20, 0, text},
			{"scopes", V20, 0, textMap},
		},
		extensible: everyVersion, refs: since30,
	},
	OAuthFlowsObject: {
		rules: []rule{
			{"implicit", since30, 0, one(OAuthFlowObject)},
			{"password", since30, 0, one(OAuthFlowObject)},
			{"clientCredentials", since30, 0, one(OAuthFlowObject)},
			{"authorizationCode", since30, 0, one(OAuthFlowObject)},
			{"deviceAuthorization", V32, 0, one(OAuthFlowObject)},
		},
		extensible: everyVersion,
	},
	OAuthFlowObject: {
		rules: []rule{
			{"authorizationUrl", since30, 0, text},
			{"deviceAuthorizationUrl", V32, 0, text},
			{"tokenUrl", since30, 0, text},
			{"refreshUrl", since30, 0, text},
			{"scopes", since30, since30, textMap},
		},
		extensible: everyVersion,
	},
	SecurityRequirementObject: {others: alwaysRule(texts)},
	ComponentsObject: {
		rules: []rule{
			{"schemas", since30, 0, mapOf(SchemaObject)},
			{"responses", since30, 0, mapOf(ResponseObject)},
			{"parameters", since30, 0, mapOf(ParameterObject)},
			{"examples", since30, 0, mapOf(ExampleObject)},
			{"requestBodies", since30, 0, mapOf(RequestBodyObject)},
			{"headers", since30, 0, mapOf(HeaderObject)},
			{"securitySchemes", since30, 0, mapOf(SecuritySchemeObject)},
			{"links", since30, 0, mapOf(LinkObject)},
			{"callbacks", since30, 0, mapOf(CallbackObject)},
			{"pathItems", since31, 0, mapOf(PathItemObject)},
			{"mediaTypes", V32, 0, mapOf(MediaTypeObject)},
		},
		extensible: everyVersion,
	},
}

func alwaysRule(v value) func([]byte) *rule {
	r := &rule{versions: everyVersion, value: v}
	return func([]byte) *rule { return r }
}

var (
	aPath     = &rule{versions: everyVersion, value: one(PathItemObject)}
	aResponse = &rule{versions: everyVersion, value: one(ResponseObject)}
)

func pathRule(key []byte) *rule {
	if len(key) > 0 && key[0] == '/' {
		return aPath
	}
	return nil
}

// statusRule knows 200, and 2XX since version 3.0.
func statusRule(key []byte) *rule {
	if len(key) != 3 || key[0] < '1' || key[0] > '5' {
		return nil
	}
	if key[1] == 'X' && key[2] == 'X' || key[1]-'0' <= 9 && key[2]-'0' <= 9 {
		return aResponse
	}
	return nil
}
