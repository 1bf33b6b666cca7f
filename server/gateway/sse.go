package gateway

import (
	"bytes"
	"strings"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
)

// sseCodec is the runtime's Marshaler for streams as server-sent events.
type sseCodec struct{ jsonCodec }

// StreamContentType implements runtime.StreamContentType.
func (sseCodec) StreamContentType(any) string { return mimeSSE }

// Delimiter implements runtime.Delimited. The second newline, which sends the
// event off, ends the frame itself.
func (sseCodec) Delimiter() []byte { return []byte("\n") }

// Marshal implements runtime.Marshaler.
func (sseCodec) Marshal(v any) ([]byte, error) {
	f, err := frameOf(v)
	if err != nil {
		return nil, err
	}
	if f.problem != nil {
		return event("", "error", f.problem.json()), nil
	}
	data, err := marshal(f.message)
	if err != nil {
		return nil, err
	}
	cursor, kind := "", "message"
	if w, ok := f.message.(*hanteiv1.WatchResponse); ok {
		cursor, kind = w.GetCursor(), kindOf(w)
	}
	return event(cursor, kind, data), nil
}

// kindOf names the event of a frame.
func kindOf(w *hanteiv1.WatchResponse) string {
	switch {
	case w.GetEndReason() != "" && !w.GetGoesOn():
		return "end"
	case w.GetEndReason() != "":
		return "message" // the stream goes on: a page must not close it
	case len(w.GetEvents()) == 0 && !w.GetOffersChanged() && !w.GetPromptsTold():
		return "heartbeat"
	default:
		return "message"
	}
}

// event writes an event. The data has no newlines: in JSON they are escaped.
func event(id, name string, data []byte) []byte {
	var b bytes.Buffer
	if id != "" && !strings.ContainsAny(id, "\r\n\x00") {
		b.WriteString("id: " + id + "\n")
	}
	b.WriteString("event: " + name + "\ndata: ")
	b.Write(data)
	b.WriteByte('\n')
	return b.Bytes()
}
