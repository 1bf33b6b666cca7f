package host

import (
	"cmp"
	"slices"

	"github.com/hantei/hantei/engine/profile"
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// sheetPaths are what an update can name.
var sheetPaths = []string{"name", "sheet.side", "sheet.stats", "sheet.resources", "sheet.gear", "sheet.details", "sheet.profile", "sheet.notes", "review"}

// paths are what an update changes: what it names, or else all that it fills in.
func (n CharacterUpdate) paths() ([]string, *rule.Refusal) {
	for _, p := range n.Mask {
		switch {
		case p == "sheet.kind":
			return nil, invalid("sheet.kind").Say("kind_cannot_change")
		case !slices.Contains(sheetPaths, p):
			return nil, invalid("update_mask").Say("no_path", rule.Sent("sent", p), rule.Code("names", sheetPaths...)).Suggest(p, sheetPaths)
		}
	}
	if len(n.Mask) > 0 {
		return n.Mask, nil
	}
	filled := map[string]bool{
		"name": n.Name != "", "sheet.side": n.Sheet.GetSide() != "", "sheet.stats": len(n.Sheet.GetStats()) > 0,
		"sheet.resources": len(n.Sheet.GetResources()) > 0, "sheet.gear": len(n.Sheet.GetGear()) > 0,
		"sheet.details": n.Sheet.GetDetails() != nil, "sheet.profile": len(n.Sheet.GetProfile()) > 0,
		"sheet.notes": n.Sheet.GetNotes() != "", "review": n.Review != tablev1.Review_REVIEW_UNSPECIFIED,
	}
	out := slices.DeleteFunc(slices.Clone(sheetPaths), func(p string) bool { return !filled[p] })
	if len(out) == 0 {
		return nil, invalid("update_mask").Say("oneof", rule.Code("names", "name", "sheet", "review"))
	}
	return out, nil
}

// written is an update of a character as the log keeps it.
func (n CharacterUpdate) written(s *sitting, c *tablev1.Character) (*tablev1.UpdateSheet, *rule.Refusal) {
	paths, refusal := n.paths()
	if refusal != nil {
		return nil, refusal
	}
	if kind := n.Sheet.GetKind(); len(n.Mask) == 0 && kind != tablev1.CharacterKind_CHARACTER_KIND_UNSPECIFIED && kind != c.Kind {
		return nil, invalid("sheet.kind").Say("kind_cannot_change")
	}
	if refusal := checkWords(n.Sheet); refusal != nil {
		return nil, refusal
	}
	out := &tablev1.UpdateSheet{Character: c.Id}
	for _, p := range paths {
		switch p {
		case "name":
			if refusal := checkName("name", n.Name); refusal != nil {
				return nil, refusal
			}
			out.Name = &n.Name
		case "sheet.side":
			side := n.Sheet.GetSide()
			if side == "" {
				side = sideOf(c.Kind)
			}
			out.Side = &side
		case "sheet.stats":
			out.Stats = n.Sheet.GetStats()
		case "sheet.resources":
			out.Resources = n.Sheet.GetResources()
		case "sheet.gear":
			out.Gear = &tablev1.GearInput{Ids: n.Sheet.GetGear()}
		case "sheet.details":
			out.Details = n.Sheet.GetDetails()
		case "sheet.profile":
			out.Profile = &tablev1.ProfileInput{Entries: n.Sheet.GetProfile()}
		case "sheet.notes":
			out.Notes = proto.String(n.Sheet.GetNotes())
		case "review":
			switch {
			case !s.gm():
				return nil, notYours("review").Say("gm_reviews")
			case n.Review != tablev1.Review_REVIEW_APPROVED && n.Review != tablev1.Review_REVIEW_REJECTED:
				return nil, invalid("review").Say("enum", rule.Code("names", "REVIEW_APPROVED", "REVIEW_REJECTED"))
			}
			out.Review = n.Review
		}
	}
	return out, nil
}

// checkWords refuses what people could not read on a sheet.
func checkWords(in *tablev1.SheetInput) *rule.Refusal {
	return cmp.Or(profile.Check(in.GetProfile(), in.GetNotes()), profile.CheckSpecialities(in.GetStats()))
}

// sideOf is the side of a character that nobody gave another one.
func sideOf(kind tablev1.CharacterKind) string {
	if kind == tablev1.CharacterKind_CHARACTER_KIND_PC {
		return "pc"
	}
	return "enemy"
}
