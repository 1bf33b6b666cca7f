package table

import "google.golang.org/protobuf/reflect/protoreflect"

// InsertPiece puts a piece of a repeated field at place i, before what stands there.
func InsertPiece(l protoreflect.List, i int, v protoreflect.Value) {
	l.Append(v)
	for j := l.Len() - 1; j > i; j-- {
		l.Set(j, l.Get(j-1))
	}
	l.Set(i, v)
}

// CutPiece takes the piece at place i out of a repeated field.
func CutPiece(l protoreflect.List, i int) {
	for j := i; j < l.Len()-1; j++ {
		l.Set(j, l.Get(j+1))
	}
	l.Truncate(l.Len() - 1)
}
