// Package gen embeds what is generated and is no Go. It is written by hand; what
// the folders beside it hold is not.
package gen

import _ "embed" // the file below

// OpenAPI is the OpenAPI v2 document of all services.
//
//go:embed openapi/hantei.swagger.json
var OpenAPI []byte
