package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/hantei/hantei/engine/foreign"
)

// object is a JSON object. Its values are object, list, string, json.Number, bool
// or nil.
type object map[string]any

type list []any

// readObject reads a JSON object, and nothing behind it. A name that stands twice
// in an object is refused: readers of JSON differ in which of the two counts.
func readObject(file []byte) (object, error) {
	d := json.NewDecoder(bytes.NewReader(file))
	d.UseNumber()
	v, err := readValue(d, 0)
	var ours *Error
	switch {
	case errors.As(err, &ours):
		return nil, err
	case err != nil:
		return nil, wrong(BadJSON)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, wrong(BadJSON)
	}
	o, ok := v.(object)
	if !ok {
		return nil, wrong(Unknown)
	}
	return o, nil
}

func readValue(d *json.Decoder, depth int) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	begin, nested := t.(json.Delim)
	if !nested {
		return t, nil
	}
	if depth == maxDepth {
		return nil, wrong(TooDeep)
	}
	if begin == '[' {
		out := list{}
		for d.More() {
			v, err := readValue(d, depth+1)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		_, err := d.Token()
		return out, err
	}
	out := object{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		name, _ := t.(string)
		if _, twice := out[name]; twice {
			return nil, &Error{Wrong: Twice, Name: name}
		}
		if out[name], err = readValue(d, depth+1); err != nil {
			return nil, err
		}
	}
	_, err = d.Token()
	return out, err
}

// text is a value as text: tools write numbers as texts and the other way round.
// Anything else is empty.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

func number(v any) foreign.Number { return foreign.Parse(text(v)) }

// all are a value's entries; none if it is no list.
func all(v any) list {
	l, _ := v.(list)
	return l
}

// at is an entry's text; empty behind the end.
func (l list) at(i int) string {
	if i >= len(l) {
		return ""
	}
	return text(l[i])
}
