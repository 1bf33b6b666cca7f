// Package gateway serves the API over HTTP. Every request becomes the same call,
// with the same interceptors, that it would be over gRPC.
//
// # JSON
//
// Fields come out in lowerCamelCase and go in in either spelling; enums are
// names. Numbers, texts, booleans and lists are always there, with 0, "", false
// or [] when empty; messages and optional fields are left out when absent, and so
// are, always, fields that nobody may see, such as the audience of a row. A field
// that is not known is refused, in the body and in the query, and the nearest known
// one is named.
//
// # Errors
//
// Every error, also one that ends a stream, has this body, flattened from the
// gRPC status and its details:
//
//	{
//	  "code": 9,                        // gRPC's number
//	  "status": "FAILED_PRECONDITION",  // and its name
//	  "reason": "DEFENCE_LOCKED",       // what to tell errors apart by
//	  "domain": "hantei/coc",           // whose reason: "hantei" or a ruleset's
//	  "rule": "COC-DEF-03",             // the rule that refuses
//	  "field": "action.coc.target",     // the field that is wrong
//	  "value": "tug",                   // the name that is wrong, as it was sent
//	  "nearest": "thug",                // what may have been meant
//	  "message": "...",                 // for people, in the request's language
//	  "violations": [{"field": "...", "message": "..."}],  // if more than one field is wrong
//	  "metadata": {"cursor": "..."}     // what else the reason comes with
//	}
//
// Where the message says what exactly is wrong, the metadata says it to programs:
// "detail" is the key of that text below "wrong." in the catalogues, and "detail_NAME"
// what it speaks of, as it was sent or can be sent, with commas between several. "cause" is what a library said of
// the request, in English.
//
// code, status and message are always there; the others when there is something
// to say. Fields are named as in the protos (table_id) or as they were sent. The
// HTTP status follows from the code as in all of gRPC-Gateway, except that a body
// that is too large is 413, an unknown path 404 and a wrong method 405. Who calls
// too often gets 429, and in Retry-After the seconds to wait.
//
// # Version
//
// GET /version needs no token:
//
//	{"program": "hantei", "version": "v0.4.0", "apis": ["v1"]}
//
// A client learns from it that it speaks to Hantei at all, and whether the two
// understand each other. It is the only path that the pages of every origin may
// read, so that one that is missing in the list of origins can find that out.
//
// # Streams
//
// Without further ado a stream is application/x-ndjson: one JSON object a line,
// {"result": MESSAGE}, and if it fails {"error": ERROR} as the last. With
// "Accept: text/event-stream" it is server-sent events whose data is the bare
// message: "message", "heartbeat", "end" (the server closes the stream; connect
// again) and "error"; each with its cursor as the id, which Last-Event-ID resumes
// from. A stream that breaks off without "end" or an error was cut on its way. A
// stream that is refused at once is an ordinary error with its HTTP status.
package gateway
