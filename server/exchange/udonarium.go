package exchange

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"github.com/hantei/hantei/engine/foreign"
)

// element is an XML element with what lies in it.
type element struct {
	tag   xml.Name
	attrs map[string]string
	text  strings.Builder
	inner []*element
}

// named is the element of a name among those inside, or nil.
func (e *element) named(name string) *element {
	if e != nil {
		for _, in := range e.inner {
			if in.attrs["name"] == name {
				return in
			}
		}
	}
	return nil
}

// words are the text of an element.
func (e *element) words() string {
	if e == nil {
		return ""
	}
	return strings.TrimSpace(e.text.String())
}

// readXML reads the first element of a file. Nothing may be declared: neither
// entities, of which a few make a text of any length, nor another encoding.
func readXML(file []byte) (*element, error) {
	d := xml.NewDecoder(bytes.NewReader(file))
	d.CharsetReader = func(string, io.Reader) (io.Reader, error) { return nil, wrong(NotUTF8) }
	var root *element
	var open []*element
	for {
		token, err := d.RawToken()
		var ours *Error
		switch {
		case err == io.EOF && root != nil && len(open) == 0:
			return root, nil
		case errors.As(err, &ours):
			return nil, ours
		case err != nil:
			return nil, wrong(BadXML)
		}
		switch token := token.(type) {
		case xml.Directive:
			return nil, wrong(Doctype)
		case xml.StartElement:
			e := &element{tag: token.Name, attrs: make(map[string]string, len(token.Attr))}
			for _, a := range token.Attr {
				name := a.Name.Local
				if a.Name.Space != "" {
					name = a.Name.Space + ":" + name
				}
				if _, twice := e.attrs[name]; twice {
					return nil, &Error{Wrong: Twice, Name: name}
				}
				e.attrs[name] = a.Value
			}
			switch {
			case len(open) == maxDepth:
				return nil, wrong(TooDeep)
			case len(open) > 0:
				in := open[len(open)-1]
				in.inner = append(in.inner, e)
			case root != nil:
				return nil, wrong(BadXML)
			default:
				root = e
			}
			open = append(open, e)
		case xml.EndElement:
			if len(open) == 0 || open[len(open)-1].tag != token.Name {
				return nil, wrong(BadXML)
			}
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				open[len(open)-1].text.Write(token)
			} else if len(bytes.TrimSpace(token)) > 0 {
				return nil, wrong(BadXML)
			}
		}
	}
}

// readUdonarium reads <character>: its values lie in the data named detail, in
// sections.
func readUdonarium(file []byte) (*foreign.Sheet, error) {
	root, err := readXML(file)
	if err != nil {
		return nil, err
	}
	whole := root.named("character")
	if root.tag.Local != "character" || whole == nil {
		return nil, wrong(Unknown)
	}
	s := &foreign.Sheet{Name: whole.named("common").named("name").words()}
	if detail := whole.named("detail"); detail != nil {
		for _, section := range detail.inner {
			readData(s, "", section)
		}
	}
	for _, e := range root.inner {
		if e.tag.Local == "chat-palette" {
			readPalette(s, e.text.String())
		}
	}
	return s, nil
}

// readData reads a section, or a value in one.
func readData(s *foreign.Sheet, group string, e *element) {
	name := e.attrs["name"]
	switch {
	case len(e.inner) > 0:
		for _, in := range e.inner {
			readData(s, name, in)
		}
	case group == "" && e.words() == "": // a section with nothing in it
	case e.attrs["type"] == "note":
		s.Texts = append(s.Texts, foreign.Text{Label: name, Text: e.words(), Notes: true})
	case e.attrs["type"] == "numberResource":
		s.Rows = append(s.Rows, foreign.Row{Group: group, Label: name, Now: foreign.Parse(e.attrs["currentValue"]), Max: foreign.Parse(e.words())})
	default:
		s.Rows = append(s.Rows, foreign.Row{Group: group, Label: name, Now: foreign.Parse(e.words())})
	}
}

func isZip(file []byte) bool { return bytes.HasPrefix(file, []byte("PK\x03\x04")) }

// maxFiles is the most files in a zip.
const maxFiles = 200

// unzip is the first XML file in a zip: what Udonarium saves has one beside the
// pictures, which are not unpacked.
func unzip(file []byte) ([]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil || len(z.File) > maxFiles {
		return nil, wrong(BadZip)
	}
	for _, f := range z.File {
		if !strings.HasSuffix(strings.ToLower(f.Name), ".xml") {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return nil, wrong(BadZip)
		}
		// What a zip says of lengths may be wrong: what comes out is counted.
		b, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
		_ = r.Close()
		switch {
		case len(b) > MaxBytes:
			return nil, wrong(TooLarge)
		case err != nil:
			return nil, wrong(BadZip)
		}
		return b, nil
	}
	return nil, wrong(BadZip)
}

type udonariumFile struct {
	XMLName xml.Name         `xml:"character"`
	Place   string           `xml:"location.name,attr"`
	X       int              `xml:"location.x,attr"`
	Y       int              `xml:"location.y,attr"`
	Data    udonariumData    `xml:"data"`
	Palette udonariumPalette `xml:"chat-palette"`
}

type udonariumData struct {
	Type  string          `xml:"type,attr,omitempty"`
	Now   string          `xml:"currentValue,attr,omitempty"`
	Name  string          `xml:"name,attr"`
	Text  string          `xml:",chardata"`
	Inner []udonariumData `xml:"data"`
}

type udonariumPalette struct {
	Bot  string `xml:"dicebot,attr"`
	Text string `xml:",chardata"`
}

// writeUdonarium writes what can be dropped on a table of Udonarium.
func writeUdonarium(s *foreign.Sheet) string {
	detail := udonariumData{Name: "detail"}
	section := func(name string) *udonariumData {
		for i := range detail.Inner {
			if detail.Inner[i].Name == name {
				return &detail.Inner[i]
			}
		}
		detail.Inner = append(detail.Inner, udonariumData{Name: name})
		return &detail.Inner[len(detail.Inner)-1]
	}
	for _, r := range s.Rows {
		d := udonariumData{Name: r.Label, Text: r.Now.Written}
		if r.Now.Known && r.Max.Known {
			d.Type, d.Now, d.Text = "numberResource", r.Now.Written, r.Max.Written
		}
		in := section(r.Group)
		in.Inner = append(in.Inner, d)
	}
	for _, t := range s.Texts {
		d := udonariumData{Name: t.Label, Text: t.Text}
		if t.Notes {
			d.Type = "note"
		}
		in := section(t.Group)
		in.Inner = append(in.Inner, d)
	}
	out := udonariumFile{Place: "table", Palette: udonariumPalette{s.Bot, strings.Join(s.Palette, "\n")}, Data: udonariumData{
		Name: "character", Inner: []udonariumData{
			{Name: "image", Inner: []udonariumData{{Type: "image", Name: "imageIdentifier"}}},
			{Name: "common", Inner: []udonariumData{{Name: "name", Text: s.Name}, {Name: "size", Text: "1"}}},
			detail,
		},
	}}
	b, err := xml.MarshalIndent(out, "", "  ")
	if err != nil {
		panic(err) // it has nothing but texts and numbers
	}
	return xml.Header + string(b) + "\n"
}
