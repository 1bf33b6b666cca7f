package trial

import (
	"slices"
	"strings"

	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// alteration makes of a sheet one that differs in what somebody may not know of it.
type alteration struct {
	g    *Game
	eyes *Onlooker
	sees *WhoSees
	// often is how many values in a hundred get another.
	often int
}

// hidden reports whether a value of a character, by the keys that its row may have, is
// one that the onlooker may not know, and that can be another by itself. What stands in
// no row is left alone: a test of the ruleset finds it missing.
func (a *alteration) hidden(who string, keys ...string) bool {
	r := a.sees.Row(keys...)
	return r != nil && !slices.ContainsFunc(keys, a.g.setup.Kept.has) && !a.eyes.May(r, who)
}

func (a *alteration) now() bool { return a.g.Rand.IntN(100) < a.often }

// changes make of a sheet the other one; none if it happens to be the same.
func (a *alteration) changes(was *tablev1.Character) []*tablev1.Change {
	ch := proto.CloneOf(was)
	for _, s := range ch.Stats {
		if a.hidden(ch.Id, "stat "+s.Key, "stats "+a.group(s.Key)) && a.now() {
			s.Value = proto.Int32(a.another(s.GetValue()))
		}
	}
	for _, r := range ch.Resources {
		if a.hidden(ch.Id, "resource "+r.Key) && a.now() {
			a.resource(ch, r)
		}
	}
	ch.Modifiers = slices.DeleteFunc(ch.Modifiers, func(m *typev1.Modifier) bool {
		prefix, _, _ := strings.Cut(m.Id, ".")
		if !a.hidden(ch.Id, "modifier "+prefix) || !a.now() {
			return false
		}
		if m.Value != nil {
			m.Value = proto.Int32(a.another(m.GetValue()))
		}
		return a.g.Chance(3)
	})
	ch.Statuses = slices.DeleteFunc(ch.Statuses, func(s *typev1.Status) bool {
		return a.hidden(ch.Id, "status "+s.Key) && a.now()
	})
	if d := ch.Details.ProtoReflect(); d.IsValid() {
		shell := d.WhichOneof(d.Descriptor().Oneofs().Get(0))
		a.details(ch.Id, d.Mutable(shell).Message())
	}
	return table.Changes(was, ch)
}

func (a *alteration) group(key string) string {
	for _, s := range a.g.Rules.Sheet.Stats {
		if s.Key == key {
			return s.Group
		}
	}
	return ""
}

// another is a number that is near enough for the rules, with the same sign.
func (a *alteration) another(n int32) int32 {
	switch {
	case n == 0:
		return 1 + a.g.Rand.Int32N(3)
	case n < 0:
		return -a.another(-n)
	}
	out := max(1, n+a.g.Rand.Int32N(21)-10)
	if out == n {
		out++
	}
	return out
}

// resource gets another value and maximum, and keeps its band where that shows.
func (a *alteration) resource(ch *tablev1.Character, r *typev1.Resource) {
	if r.GetValue() <= 0 {
		return // the rules count on those who are down being so
	}
	if r.Max == nil {
		value := a.another(r.GetValue())
		r.Value = &value
		return
	}
	shows := a.sees.By["resource "+r.Key].NPC == "npc_hp" && !a.eyes.PC(ch.Id) && a.eyes.HP == tablev1.NpcHp_NPC_HP_BAND
	for range 20 {
		top := max(1, a.another(r.GetMax()))
		value := 1 + a.g.Rand.Int32N(top)
		if band := rule.BandOf(value, top); !shows || band == r.Band {
			r.Value, r.Max, r.Band = &value, &top, band
			return
		}
	}
}

// details alters the pieces of a ruleset's own.
func (a *alteration) details(who string, m protoreflect.Message) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		switch {
		case !m.Has(f):
		case f.IsList():
			l := m.Mutable(f).List()
			for j := l.Len() - 1; j >= 0; j-- {
				if a.gone(who, l.Get(j).Message()) {
					table.CutPiece(l, j)
					continue
				}
				a.piece(who, l.Get(j).Message(), true)
			}
		default:
			a.piece(who, m.Mutable(f).Message(), false)
		}
	}
}

// gone reports whether a repeated piece is not there, as far as the onlooker knows.
func (a *alteration) gone(who string, m protoreflect.Message) bool {
	key := FieldName(m.Descriptor().Fields().ByNumber(1))
	r := a.sees.By[key]
	if a.g.setup.Row != nil {
		if own := a.g.setup.Row(a.sees, m.Interface()); own != nil {
			r = own
		}
	}
	return r != nil && !a.g.setup.Kept.has(key) && !a.eyes.May(r, who) && a.now() && a.g.Chance(2)
}

// piece alters numbers and switches of a piece, but for its key.
func (a *alteration) piece(who string, m protoreflect.Message, keyed bool) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if !m.Has(f) || keyed && f.Number() == 1 || f.IsList() || !a.hidden(who, FieldName(f)) || !a.now() {
			continue
		}
		switch f.Kind() {
		case protoreflect.Int32Kind:
			m.Set(f, protoreflect.ValueOfInt32(a.another(int32(m.Get(f).Int()))))
		case protoreflect.BoolKind:
			m.Set(f, protoreflect.ValueOfBool(!m.Get(f).Bool()))
		}
	}
}

// FieldName is what "Who sees what" calls a field: "Weapon.durability".
func FieldName(f protoreflect.FieldDescriptor) string {
	return string(f.Parent().Name()) + "." + string(f.Name())
}
