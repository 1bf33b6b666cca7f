package interceptor

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// manyLines are the fields that hold more than one line of text.
var manyLines = map[protoreflect.FullName]bool{
	"hantei.table.v1.Note.text":                true,
	"hantei.table.v1.SheetInput.notes":         true,
	"hantei.v1.ImportCharacterRequest.content": true,
	"hantei.v1.PackFile.yaml":                  true,
}

// badText finds the first text of a message that is not UTF-8 or has control
// characters, which forge log lines and break sheets and cards. Newlines and
// tabs may stand in the fields that hold many lines.
func badText(m protoreflect.Message) (field string, problem *wrong) {
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.IsMap(): // no request has one
		case fd.IsList() && (fd.Kind() == protoreflect.StringKind || fd.Message() != nil):
			for l, i := v.List(), 0; i < l.Len() && problem == nil; i++ {
				if field, problem = badValue(fd, l.Get(i)); problem != nil {
					field = fmt.Sprintf("%s[%d]%s", fd.Name(), i, field)
				}
			}
		case !fd.IsList():
			if field, problem = badValue(fd, v); problem != nil {
				field = string(fd.Name()) + field
			}
		}
		return problem == nil
	})
	return field, problem
}

// badValue looks at one value. The field is the path below it.
func badValue(fd protoreflect.FieldDescriptor, v protoreflect.Value) (field string, problem *wrong) {
	switch {
	case fd.Message() != nil:
		if field, problem = badText(v.Message()); problem != nil {
			field = "." + field
		}
		return field, problem
	case fd.Kind() == protoreflect.StringKind:
		return "", badString(v.String(), manyLines[fd.FullName()])
	default:
		return "", nil
	}
}

func badString(s string, lines bool) *wrong {
	if !utf8.ValidString(s) {
		return &wrong{what: "utf8"}
	}
	bad := strings.IndexFunc(s, func(r rune) bool {
		return unicode.IsControl(r) && !(lines && (r == '\n' || r == '\r' || r == '\t'))
	})
	if bad < 0 {
		return nil
	}
	r, _ := utf8.DecodeRuneInString(s[bad:])
	return &wrong{"control", map[string]string{"sign": fmt.Sprintf("%U", r), "byte": strconv.Itoa(bad)}}
}
