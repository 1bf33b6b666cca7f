package gateway

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/hantei/hantei/gen"
)

// errorSchema describes problem; a test compares the two.
const errorSchema = `{
	"type": "object",
	"required": ["code", "status", "message"],
	"properties": {
		"code": {"type": "integer", "format": "int32", "description": "gRPC's number of the status."},
		"status": {"type": "string", "description": "gRPC's name of the status, for example FAILED_PRECONDITION."},
		"reason": {"type": "string", "description": "What to tell errors apart by, for example DEFENCE_LOCKED."},
		"domain": {"type": "string", "description": "Whose reason it is: hantei or a ruleset's."},
		"rule": {"type": "string", "description": "The rule that refuses."},
		"field": {"type": "string", "description": "The field that is wrong."},
		"value": {"type": "string", "description": "The name that is wrong, as it was sent."},
		"nearest": {"type": "string", "description": "What may have been meant."},
		"message": {"type": "string", "description": "For people, in the language of the request."},
		"violations": {
			"type": "array",
			"description": "All fields that are wrong, if there is more than one.",
			"items": {"type": "object", "properties": {"field": {"type": "string"}, "message": {"type": "string"}}}
		},
		"metadata": {"type": "object", "description": "What else the reason comes with.", "additionalProperties": {"type": "string"}}
	}
}`

// versionPath describes the one path of the document that no proto declares.
const versionPath = `{
	"get": {
		"summary": "Version says which program answers and which versions of the API it serves. Anybody may call it, and the pages of every origin may read the answer.",
		"operationId": "Version",
		"security": [],
		"responses": {"200": {"description": "The version.", "schema": {"$ref": "#/definitions/version"}}}
	}
}`

// openAPI returns the document to serve: the generated one, with what only the
// gateway knows, which are the form of errors, the version, the token and a title.
func openAPI() ([]byte, error) {
	var doc map[string]any
	if err := json.Unmarshal(gen.OpenAPI, &doc); err != nil {
		return nil, fmt.Errorf("openapi.json: %w", err)
	}
	definitions, ok := doc["definitions"].(map[string]any)
	if !ok {
		return nil, fmt.Errorf("openapi.json: no definitions")
	}
	// All errors refer to this name.
	definitions["googleRpcStatus"] = json.RawMessage(errorSchema)
	definitions["version"] = json.RawMessage(versionSchema)
	paths, ok := doc["paths"].(map[string]any)
	if !ok {
		return nil, fmt.Errorf("openapi.json: no paths")
	}
	paths["/version"] = json.RawMessage(versionPath)
	doc["info"] = map[string]any{
		"title":       "Hantei",
		"description": "Rules server for tabletop role-playing games.",
		"version":     "v1",
	}
	doc["securityDefinitions"] = map[string]any{
		"token": map[string]any{
			"type": "apiKey", "in": "header", "name": "Authorization",
			"description": "Bearer TOKEN. Everything but RulesetService needs one.",
		},
	}
	doc["security"] = []any{map[string]any{"token": []any{}}}
	return json.Marshal(doc)
}

// serveOpenAPI answers with the document.
func serveOpenAPI(document []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", mimeJSON)
		_, _ = w.Write(document)
	})
}
