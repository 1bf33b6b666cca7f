package prompt

import (
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"strings"
)

// OfSlot returns the window and slot with a slot's id, or nil.
func OfSlot(windows []*tablev1.Window, id string) (*tablev1.Window, *tablev1.Slot) {
	for _, w := range windows {
		for _, s := range w.Slots {
			if s.Id == id {
				return w, s
			}
		}
	}
	return nil, nil
}

// Named returns the window with an id, or the latest with a name, or nil.
func Named(windows []*tablev1.Window, idOrName string) *tablev1.Window {
	for i := len(windows) - 1; i >= 0; i-- {
		if windows[i].Id == idOrName || windows[i].Name == idOrName {
			return windows[i]
		}
	}
	return nil
}

// Only returns the window of the only open slot of a character, or nil if there
// is none or more than one.
func Only(windows []*tablev1.Window, character string) *tablev1.Window {
	var found *tablev1.Window
	for _, w := range windows {
		if Open(w, character) == nil {
			continue
		}
		if found != nil {
			return nil
		}
		found = w
	}
	return found
}

// Open returns a character's open slot in a window, or nil.
func Open(w *tablev1.Window, character string) *tablev1.Slot {
	for _, s := range w.Slots {
		if s.Character == character && s.State == tablev1.SlotState_SLOT_STATE_OPEN {
			return s
		}
	}
	return nil
}

// Choice returns the choice with an id, or nil.
func Choice(choices []*tablev1.PromptChoice, id string) *tablev1.PromptChoice {
	for _, c := range choices {
		if c.Id == id {
			return c
		}
	}
	return nil
}

// OnlyDefault reports whether a slot leaves nothing to decide: no choice but the
// default is possible, and that has nothing to fill in.
func OnlyDefault(choices []*tablev1.PromptChoice, def string) bool {
	for _, c := range choices {
		if c.Possible && (c.Id != def || len(c.Inputs) > 0) {
			return false
		}
	}
	return true
}

// Match returns the id of the choice that an answer corresponds to, whatever its
// inputs hold, or "" if there is none.
func Match(choices []*tablev1.PromptChoice, answer *tablev1.Answer) string {
	for _, c := range choices {
		bare := proto.Clone(answer).(*tablev1.Answer)
		template := proto.Clone(c.Answer).(*tablev1.Answer)
		for _, in := range c.Inputs {
			clearPath(bare.ProtoReflect(), in.Path)
			clearPath(template.ProtoReflect(), in.Path)
		}
		if proto.Equal(bare, template) {
			return c.Id
		}
	}
	return ""
}

func clearPath(m protoreflect.Message, path string) {
	names := strings.Split(path, ".")
	for _, n := range names[:len(names)-1] {
		f := m.Descriptor().Fields().ByName(protoreflect.Name(n))
		if !m.Has(f) {
			return
		}
		m = m.Get(f).Message()
	}
	m.Clear(m.Descriptor().Fields().ByName(protoreflect.Name(names[len(names)-1])))
}
