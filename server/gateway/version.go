package gateway

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// apis are the versions of the API that the server serves: the first segments of
// its paths.
var apis = []string{"v1"}

// versionSchema describes version; a test compares the two.
const versionSchema = `{
	"type": "object",
	"required": ["program", "version", "apis"],
	"properties": {
		"program": {"type": "string", "description": "Always hantei."},
		"version": {"type": "string", "description": "The version of the program, for people."},
		"apis": {"type": "array", "description": "The versions of the API that it serves, for example v1.", "items": {"type": "string"}}
	}
}`

// version is what a client asks for to know whom it speaks to.
type version struct {
	Program string   `json:"program"`
	Version string   `json:"version"`
	APIs    []string `json:"apis"`
}

// serveVersion says that this is Hantei, and which. The page of any origin may
// read it, whatever the list says: one that is not on the list can then say so to
// its reader, where a browser would tell it no more than that the call has failed.
func serveVersion(program string) (http.Handler, error) {
	body, err := json.Marshal(version{Program: "hantei", Version: program, APIs: apis})
	if err != nil {
		return nil, fmt.Errorf("version: %w", err)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Content-Type", mimeJSON)
		_, _ = w.Write(append(body, '\n'))
	}), nil
}
