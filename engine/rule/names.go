package rule

import (
	"strings"

	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// EventName is a declared name of an event. Only Name makes one, from a value
// of an enum, so an undeclared name does not compile.
type EventName struct{ name string }

// String is the name on the wire: "attack_hit".
func (n EventName) String() string { return n.name }

// Name makes an event's name from the enum that declares it.
func Name(value protoreflect.Enum) EventName {
	return EventName{strings.ToLower(valueName(value, "EVENT_NAME_"))}
}

// FactKey is a declared key of a fact, with the type of its values.
type FactKey struct {
	name string
	kind typev1.FactType
}

// String is the key on the wire: "final".
func (k FactKey) String() string { return k.name }

// Key makes a fact's key from the enum that declares it. It panics if the enum
// value has no type: that is a mistake in the proto, found at start.
func Key(value protoreflect.Enum) FactKey {
	v := value.Descriptor().Values().ByNumber(value.Number())
	kind := proto.GetExtension(v.Options(), typev1.E_Fact).(typev1.FactType)
	if kind == typev1.FactType_FACT_TYPE_UNSPECIFIED {
		panic("rule: fact key without a type: " + string(v.FullName()))
	}
	return FactKey{strings.ToLower(valueName(value, "FACT_KEY_")), kind}
}

// Word is an enum value as a word of the rules: "weapon_unusable".
func Word(value protoreflect.Enum, prefix string) string {
	return strings.ToLower(valueName(value, prefix))
}
