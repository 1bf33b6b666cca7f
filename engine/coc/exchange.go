package coc

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hantei/hantei/engine/foreign"
	"github.com/hantei/hantei/engine/profile"
	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// reading is another tool's sheet that is being read.
type reading struct {
	*game
	labels labels
	in     *tablev1.SheetInput
	lines  []foreign.Line
	words  profile.Gathering // what no rule reads
	bars   []foreign.Row     // of resources
	rolls  []foreign.Row     // against what is made of a value
	bonus  []foreign.Row     // of the damage bonus
}

// readForeign makes a sheet of another tool's.
func (g *game) readForeign(s *foreign.Sheet, texts func(key string) []string) (*tablev1.SheetInput, []foreign.Line) {
	r := &reading{game: g, labels: g.labels(texts), in: &tablev1.SheetInput{}}
	// What a sheet says of itself counts more than what its palette repeats.
	for _, roll := range []bool{false, true} {
		for _, row := range s.Rows {
			if row.Roll == roll {
				r.row(row)
			}
		}
	}
	for _, row := range r.rolls {
		r.rolled(row)
	}
	for _, w := range s.Weapons {
		r.weapon(w)
	}
	for _, t := range s.Texts {
		if t.Notes {
			r.noted(t.Label, t.Text, r.words.Note(t.Label, t.Text))
		} else {
			r.keep(t.Label, t.Text)
		}
	}
	for _, line := range s.Palette {
		r.tell(line, "", foreign.LeftOut, "", "")
	}
	r.in.Profile, r.in.Notes = r.words.Entries, r.words.Notes()
	r.rest()
	return r.in, r.lines
}

func (r *reading) tell(label, written string, o foreign.Outcome, key, value string) {
	r.lines = append(r.lines, foreign.Line{Label: label, Written: written, Outcome: o, Key: key, Value: value})
}

// keep takes what no rule reads into the profile.
func (r *reading) keep(label, written string) {
	r.noted(label, written, r.words.Entry(label, written))
}

// noted tells where something stands in its own words; "" if there was no room.
func (r *reading) noted(label, written, where string) {
	if where == "" {
		r.tell(label, written, foreign.LeftOut, "", "")
		return
	}
	r.tell(label, written, foreign.Noted, where, "")
}

// row reads a value.
func (r *reading) row(row foreign.Row) {
	key, of := r.value(row)
	weapon, _ := find(r.labels.weapons, row.Label)
	switch {
	case !row.Roll && !row.Now.Known && throws.MatchString(row.Now.Written) && weapon != "":
		// In one place a name is a skill, in another a weapon: a formula is damage.
		r.weapon(foreign.Weapon{Name: row.Label, Damage: row.Now.Written})
	case key == "":
		r.unknown(row)
	case key == kDB:
		r.bonus = append(r.bonus, row)
	case row.Roll && (isCharacteristic(key) || isResource(key)):
		// It is rolled against, which says nothing of what it is.
		r.tell(row.Label, row.Now.Written, foreign.LeftOut, key, "")
	case isResource(key):
		r.bars = append(r.bars, row)
	case !row.Now.Known && !row.Roll && of != "" && r.pack.skill(key) != nil:
		r.keep(row.Label, row.Now.Written) // it says something, and has no value to stand beside
	case !row.Now.Known && row.Roll:
		r.rolls = append(r.rolls, row)
	case !row.Now.Known:
		r.tell(row.Label, row.Now.Written, foreign.NotANumber, key, "")
	case r.pack.skill(key) != nil:
		r.skill(row, key, of)
	default:
		r.stat(row, key)
	}
}

// unknown keeps what has a label that these rules do not know, if there is something
// to keep: a home-made skill, an age. What is only rolled may be made of other values.
func (r *reading) unknown(row foreign.Row) {
	label := row.Label
	if row.Roll {
		label = foreign.Bare(label)
	}
	made := row.Roll && (!row.Now.Known || foreign.Calculation(label) || withoutRollWord(label) == "")
	if foreign.Fold(label) == "" || written(row) == "" || made {
		r.tell(row.Label, written(row), foreign.NotUnderstood, "", "")
		return
	}
	r.noted(row.Label, written(row), r.words.Entry(label, written(row)))
}

// rollWords may stand behind what a line of a dice palette rolls against.
var rollWords = []string{"チェック", "ロール", "判定", "check", "roll"}

// withoutRollWord is a label without brackets and a word for rolling.
func withoutRollWord(label string) string {
	label = foreign.Bare(label)
	for _, word := range rollWords {
		if n := len(label) - len(word); n >= 0 && strings.EqualFold(label[n:], word) {
			return strings.TrimSpace(label[:n])
		}
	}
	return label
}

// multiple is behind a characteristic that is rolled against.
var multiple = regexp.MustCompile(`[×*x][0-9]+$`)

// value is the key of a value, and what of it the label says. A roll may be named
// after it, such as "SANチェック", "幸運ロール" or "STR×5". The multiple of a skill is
// no value of it.
func (r *reading) value(row foreign.Row) (key, of string) {
	if !row.Roll {
		return find(r.labels.values, row.Label)
	}
	if key, of = find(r.labels.values, withoutRollWord(row.Label)); key != "" {
		return key, of
	}
	if key, of = find(r.labels.values, row.Label); key != "" {
		return key, of
	}
	key, _ = find(r.labels.values, multiple.ReplaceAllString(foreign.Fold(row.Label), ""))
	if isCharacteristic(key) {
		return key, ""
	}
	return "", ""
}

// written is what a row has, with its maximum if there is one.
func written(row foreign.Row) string {
	if row.Max.Written == "" {
		return row.Now.Written
	}
	return row.Now.Written + "/" + row.Max.Written
}

func isResource(key string) bool { return key == kHP || key == kMP || key == kSAN }

// rolled tells of a roll against a calculation, such as "30*2" or "{SPOT}", which is no
// value itself: what it is named after may have one elsewhere.
func (r *reading) rolled(row foreign.Row) {
	key, of := r.value(row)
	for _, k := range append(r.pack.skillsOf(key), key) {
		if s := r.given(k); s != nil && (of == "" || sameWords(s.GetSpeciality(), of)) {
			r.tell(row.Label, row.Now.Written, foreign.Taken, k, decimal(s.Value))
			r.lines[len(r.lines)-1].Speciality = s.GetSpeciality()
			return
		}
	}
	r.tell(row.Label, row.Now.Written, foreign.NotANumber, key, "")
}

// stat takes a stat, in the range that a sheet can have.
func (r *reading) stat(row foreign.Row, key string) {
	value := min(max(row.Now.Value, 0), 999)
	s := r.given(key)
	switch {
	case s != nil && s.Value != value:
		r.tell(row.Label, row.Now.Written, foreign.Doubled, key, decimal(s.Value))
		return
	case s == nil:
		r.in.Stats = append(r.in.Stats, &tablev1.StatInput{Key: key, Value: value})
	}
	outcome := foreign.Taken
	if value != row.Now.Value {
		outcome = foreign.Clamped
	}
	r.tell(row.Label, row.Now.Written, outcome, key, decimal(value))
	r.lines[len(r.lines)-1].Speciality = r.given(key).GetSpeciality()
}

// given is what has been taken as the value of a stat, or nil.
func (r *reading) given(key string) *tablev1.StatInput {
	for _, s := range r.in.Stats {
		if s.Key == key {
			return s
		}
	}
	return nil
}

// skill takes a skill with its speciality. Each speciality is a skill of its own, as
// far as the pack has further ones of it; what is left is kept in words.
func (r *reading) skill(row foreign.Row, first, of string) {
	key := r.placeOf(row, first, of)
	switch {
	case key == "" && of == "":
		key = first
	case key == "" || utf8.RuneCountInString(of) > profile.MaxSpeciality || strings.ContainsFunc(of, profile.Unprintable):
		r.keep(row.Label, row.Now.Written)
		return
	}
	r.stat(row, key)
	if s := r.given(key); of != "" && s.GetSpeciality() == "" {
		s.Speciality = &of
		r.lines[len(r.lines)-1].Speciality = of
	}
}

// placeOf is the key under which a skill with a speciality stands, or will; "" if
// there is none left. What the palette repeats may leave out the speciality, or name
// it where the sheet does not.
func (r *reading) placeOf(row foreign.Row, first, of string) string {
	for _, fits := range []func(*tablev1.StatInput) bool{
		func(s *tablev1.StatInput) bool {
			return s != nil && s.Value == row.Now.Value && sameWords(s.GetSpeciality(), of)
		},
		func(s *tablev1.StatInput) bool {
			return s != nil && s.Value == row.Now.Value && row.Roll && (of == "" || s.GetSpeciality() == "")
		},
		func(s *tablev1.StatInput) bool { return s != nil && sameWords(s.GetSpeciality(), of) },
		func(s *tablev1.StatInput) bool { return s == nil },
	} {
		for _, key := range r.pack.skillsOf(first) {
			if fits(r.given(key)) {
				return key
			}
		}
	}
	return ""
}

func sameWords(a, b string) bool { return foreign.Fold(a) == foreign.Fold(b) }

func decimal(n int32) string { return strconv.FormatInt(int64(n), 10) }

// throws is in every formula of a damage.
var throws = regexp.MustCompile(`[0-9][Dd][0-9]`)

// damageWords may stand behind the name of a weapon, or before it, in a line that
// rolls its damage.
var damageWords = []string{"のダメージ判定", "ダメージ判定", "のダメージ", "ダメージ", "damage"}

// damageOf is the weapon that a label names, "" for none that the pack has, and what of
// it the label says. damage is true if the label says that it is about damage:
// "こぶしのダメージ", "ダメージ判定：こぶし".
func (r *reading) damageOf(label string) (id, of string, damage bool) {
	name := foreign.Fold(label)
	for _, word := range damageWords {
		rest, ok := strings.CutSuffix(strings.TrimSuffix(name, ")"), word)
		if !ok {
			rest, ok = strings.CutPrefix(name, word)
		}
		if rest = strings.Trim(rest, ":/()[]-・"); ok && rest != "" {
			id, of = find(r.labels.weapons, rest)
			return id, of, true
		}
	}
	id, of = find(r.labels.weapons, label)
	return id, of, false
}

// weapon takes a weapon of the pack, whose damage the pack says.
func (r *reading) weapon(w foreign.Weapon) {
	id, of, damage := r.damageOf(w.Name)
	row := r.pack.weapon(id)
	switch {
	case row == nil && w.Roll && !damage: // any throw of dice
		r.tell(w.Name, w.Damage, foreign.LeftOut, "", "")
		return
	case row == nil && foreign.Fold(w.Name) == "":
		r.tell(w.Name, w.Damage, foreign.NotUnderstood, "", "")
		return
	case row == nil:
		r.noted(w.Name, w.Damage, r.words.Entry(foreign.Bare(w.Name), w.Damage))
		return
	}
	outcome := foreign.Taken
	if formula(w.Damage) != "" && formula(w.Damage) != formula(row.Damage) {
		outcome = foreign.ByRules
	}
	// What comes by nature comes by itself.
	if !row.Human && !slices.Contains(r.in.Gear, id) {
		r.in.Gear = append(r.in.Gear, id)
	}
	r.tell(w.Name, w.Damage, outcome, id, row.Damage)
	if of != "" && r.words.Entry(foreign.Bare(w.Name), w.Damage) != "" {
		r.lines[len(r.lines)-1].Speciality = of
	}
}

// formula is a damage without what does not tell it from another.
func formula(damage string) string {
	return strings.NewReplacer("{", "", "}", "").Replace(strings.ToUpper(foreign.Fold(damage)))
}

// rest reads what the rest of the sheet must be known for, and tells what the rules
// have put where the source has nothing.
func (r *reading) rest() {
	for _, key := range characteristicKeys {
		if !r.told(key) {
			r.tell("", "", foreign.Absent, key, "")
		}
	}
	ch, refusal := r.fromSheet(r.in)
	if refusal != nil {
		panic(refusal) // Nothing was put into it that it does not take.
	}
	for i := range r.lines {
		l := &r.lines[i]
		if s := table.Stat(ch, l.Key); s != nil && (l.Outcome == foreign.Absent || l.Outcome == foreign.NotANumber) {
			l.Value = decimal(s.GetValue())
		}
	}
	for _, row := range r.bonus {
		r.tell(row.Label, row.Now.Written, foreign.ByRules, kDB, damageBonusWord(ch))
	}
	for _, row := range r.bars {
		key, _ := find(r.labels.values, row.Label)
		r.bar(row, table.Resource(ch, key))
	}
	for _, res := range ch.Resources {
		if !r.told(res.Key) {
			r.tell("", "", foreign.Absent, res.Key, decimal(res.GetValue())+"/"+decimal(res.GetMax()))
		}
	}
}

// told reports whether the source has a value of its own for a key.
func (r *reading) told(key string) bool {
	return slices.ContainsFunc(r.lines, func(l foreign.Line) bool { return l.Key == key && l.Outcome != foreign.LeftOut })
}

// bar takes a resource. derived is what the rules make of the rest of the sheet. The
// most that SAN can be follows from Cthulhu Mythos (COC-CRE-02), whatever a tool has
// as the end of its bar.
func (r *reading) bar(row foreign.Row, derived *typev1.Resource) {
	in := &tablev1.ResourceInput{Key: derived.Key}
	top, least := derived.GetMax(), int32(0)
	switch {
	case in.Key != kSAN && row.Max.Known:
		top = min(max(row.Max.Value, 1), 999)
		in.Max = &top
	case in.Key != kSAN && row.Now.Value > top:
		// The source knows no maximum; its value shows that it is higher.
		top = min(row.Now.Value, 999)
		in.Max = &top
	}
	if in.Key == kHP {
		least = -999
	}
	now := min(max(row.Now.Value, least), top)
	if !row.Now.Known {
		now = min(derived.GetValue(), top)
		if in.Max != nil {
			now = top
		}
	} else if top > 0 { // of what can only be 0 nothing is given
		in.Value = &now
	}
	value := decimal(now) + "/" + decimal(top)
	outcome := foreign.Taken
	i := slices.IndexFunc(r.in.Resources, func(o *tablev1.ResourceInput) bool { return o.Key == in.Key })
	switch {
	case i >= 0 && !proto.Equal(r.in.Resources[i], in):
		outcome, value = foreign.Doubled, ""
	case i >= 0:
	case !row.Now.Known || row.Max.Written != "" && !row.Max.Known:
		outcome = foreign.NotANumber
	case now != row.Now.Value || in.Max != nil && row.Max.Known && top != row.Max.Value:
		outcome = foreign.Clamped
	case row.Max.Known && top != row.Max.Value:
		outcome = foreign.ByRules
	}
	if i < 0 && (in.Value != nil || in.Max != nil) {
		r.in.Resources = append(r.in.Resources, in)
	}
	r.tell(row.Label, written(row), outcome, in.Key, value)
}

// writeForeign makes another tool's sheet of what a seat sees of a character.
func (g *game) writeForeign(c *tablev1.CharacterView, text func(key string) string) *foreign.Sheet {
	seen := &tablev1.Character{Stats: c.Stats, Resources: c.Resources, Details: c.Details}
	out := &foreign.Sheet{Name: c.Name, Bot: "Cthulhu"}
	label := func(key string) string { return writtenLabel(key, text) }
	known := func(key string) (int32, bool) {
		s := table.Stat(seen, key)
		return s.GetValue(), s != nil && s.Value != nil
	}
	if dex, ok := known(kDEX); ok {
		out.Order = foreign.Of(dex)
	}
	for _, st := range g.layout.Stats {
		row := foreign.Row{Group: text("group." + st.Group), Label: label(st.Key)}
		if of := table.Stat(seen, st.Key).GetSpeciality(); of != "" {
			row.Label = label(g.pack.skill(st.Key).first()) + "(" + of + ")"
		}
		if st.Resource {
			res := table.Resource(seen, st.Key)
			if res == nil || res.Value == nil || res.Max == nil {
				continue // its band, at most
			}
			row.Now, row.Max = foreign.Of(*res.Value), foreign.Of(*res.Max)
		} else if n, ok := known(st.Key); ok {
			row.Now, row.Roll = foreign.Of(n), rolledAlone(g, st.Key)
		} else {
			continue
		}
		out.Rows = append(out.Rows, row)
	}
	db := false
	if _, ok := known(kSTR); ok {
		if _, db = known(kSIZ); db {
			bonus := strings.TrimPrefix(damageBonusWord(seen), "+")
			out.Rows = append(out.Rows, foreign.Row{Group: text("group.derived"), Label: label(kDB), Now: foreign.Parse(bonus)})
		}
	}
	for _, e := range c.Profile {
		out.Texts = append(out.Texts, foreign.Text{Group: text("word.profile"), Label: e.Label, Text: e.Text})
	}
	if c.Notes != "" {
		out.Texts = append(out.Texts, foreign.Text{Group: text("word.notes"), Label: text("word.notes"), Text: c.Notes, Notes: true})
	}
	g.palette(out, seen, db, text)
	return out
}

// rolledAlone reports whether a stat is rolled as it is, and no other value is made
// of it: such ones stand in the palette.
func rolledAlone(g *game, key string) bool {
	return g.pack.skill(key) != nil || key == kLuck || key == kIdea || key == kKnow
}

// palette writes the lines for a dice bot: what can be rolled, and with what (BCDice's
// words for COC-CHK-01). Where the tool shows the value, the line names it, and
// follows when it is changed there.
func (g *game) palette(out *foreign.Sheet, seen *tablev1.Character, db bool, text func(key string) string) {
	line := func(roll, label string) { out.Palette = append(out.Palette, roll+" 【"+label+"】") }
	for _, row := range out.Rows {
		switch {
		case row.Label == writtenLabel(kSAN, text):
			line("1D100<={"+row.Label+"}", text("action.san_check"))
		case row.Roll:
			line("CCB<="+row.Now.Written, row.Label)
		}
	}
	for _, key := range characteristicKeys {
		if s := table.Stat(seen, key); s != nil && s.Value != nil {
			label := writtenLabel(key, text)
			line("CCB<={"+label+"}*5", label+"×5")
		}
	}
	for _, w := range details(seen).GetWeapons() {
		row := g.pack.weapon(w.Template)
		if row == nil || strings.Contains(row.Damage, "DB") && !db {
			continue // the bonus would tell what is hidden, and is not there
		}
		line(strings.Replace(row.Damage, "DB", "{"+writtenLabel(kDB, text)+"}", 1), weaponLabel(row.ID, text))
	}
}
