package coc

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/locale"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/view"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

func localeRules(t *testing.T) *rule.Ruleset {
	t.Helper()
	r, err := New(DefaultPack())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// localeCatalog has the texts of the core and of this ruleset. That both
// languages have the same keys is checked by Load.
func localeCatalog(t *testing.T) *locale.Catalog {
	t.Helper()
	c, err := locale.Load(locale.Core(), localeRules(t).Locale)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(c.Languages(), " "); got != "en ja" {
		t.Fatalf("languages: %s", got)
	}
	return c
}

// localeTexts checks that keys and words have a text.
type localeTexts struct {
	t *testing.T
	c *locale.Catalog
}

func (x localeTexts) key(key string) {
	x.t.Helper()
	if !x.c.Has(key) {
		x.t.Errorf("no text %s", key)
	}
}

func (x localeTexts) word(word string) {
	x.t.Helper()
	for _, prefix := range []string{"word.", "stat.", "status.", "choice.", "action.", "name."} {
		if x.c.Has(prefix + word) {
			return
		}
	}
	x.t.Errorf("no text for the word %s", word)
}

func (x localeTexts) enum(e protoreflect.EnumDescriptor, prefix string, check func(name string)) {
	for i := 1; i < e.Values().Len(); i++ {
		check(strings.TrimPrefix(string(e.Values().Get(i).Name()), prefix))
	}
}

// Everything that the ruleset declares has a text.
func TestLocaleDeclared(t *testing.T) {
	x, r := localeTexts{t, localeCatalog(t)}, localeRules(t)
	x.enum(cocv1.EventName(0).Descriptor(), "EVENT_NAME_", func(name string) { x.key("event." + strings.ToLower(name)) })
	x.enum(cocv1.Reason(0).Descriptor(), "REASON_", func(name string) { x.key("error." + name) })
	for e, prefix := range map[protoreflect.Enum]string{
		cocv1.DefenceKind(0): "DEFENCE_KIND_", cocv1.Uses(0): "USES_", cocv1.WeaponState(0): "WEAPON_STATE_",
		cocv1.MarkKind(0): "MARK_KIND_", cocv1.InsanityUnit(0): "INSANITY_UNIT_", cocv1.CheckGrade(0): "CHECK_GRADE_", cocv1.CriticalBenefit_Choice(0): "CHOICE_",
	} {
		x.enum(e.Descriptor(), prefix, func(name string) { x.word(strings.ToLower(name)) })
	}
	x.key("ruleset." + r.Name)
	x.key("detail." + r.Sheet.GearPath)
	for _, e := range r.Sheet.Gear {
		x.word(e.ID)
	}
	for path, ids := range r.Sheet.Rows {
		x.key("detail." + path)
		for _, id := range ids {
			x.word(id)
		}
	}
	for _, o := range options {
		x.key("option." + o.Key)
		for _, v := range o.Values {
			if v != "6-10" {
				x.word(v)
			}
		}
	}
	for _, s := range r.Sheet.Stats {
		x.key("stat." + s.Key)
		x.key("group." + s.Group)
		for _, tag := range s.Tags {
			x.word(tag)
			x.word("#" + tag)
		}
	}
	for _, s := range r.Sheet.Statuses {
		x.key("status." + s.Key)
	}
	for _, s := range r.Samples {
		x.key("name." + s.ID)
	}
	for _, a := range r.Actions() {
		x.key("action." + a.Name)
		if a.Group != "table" { // the core's
			x.key("group." + a.Group)
		}
	}
	for _, p := range r.Prompts() {
		x.key("prompt." + p.Name)
		x.word(p.Name) // prompt_opened tells it
	}
	pack, errs := load(DefaultPack())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for _, w := range pack.weapons {
		x.word(w.ID)
	}
	for _, s := range slices.Concat(pack.short, pack.long) {
		x.word(s.ID)
	}
	for _, w := range slices.Concat(gradeWords[critical:], combatStatuses, characteristicKeys, []string{
		causeLowHP, causeShock, causeDown, causeDropped,
		stepDeclared, stepDexCheck, stepRoundDeclared, stepShooting, stepActions, stepRoundEnd, stepStatusCheck,
		"first_aid", "medicine", "none", "ended", "pc", "enemy", "approved", "rejected",
	}) {
		x.word(w)
	}
}

// What of the details is named is there, in parts that are named too.
func TestLocaleDetails(t *testing.T) {
	x := localeTexts{t, localeCatalog(t)}
	for _, key := range x.c.Keys() {
		path, ok := strings.CutPrefix(key, "detail.")
		if !ok {
			continue
		}
		m := (&cocv1.Details{}).ProtoReflect().Descriptor()
		for i, name := range strings.Split(path, ".") {
			f := m.Fields().ByName(protoreflect.Name(name))
			if f == nil {
				t.Errorf("%s: %s has no field %s", key, m.FullName(), name)
				break
			}
			x.key("detail." + strings.Join(strings.Split(path, ".")[:i+1], "."))
			m = f.Message()
		}
	}
}

// The fields that people fill in have a text.
func TestLocaleInputs(t *testing.T) {
	x := localeTexts{t, localeCatalog(t)}
	actions := (&cocv1.Action{}).ProtoReflect().Descriptor().Fields()
	for i := range actions.Len() {
		fields := actions.Get(i).Message().Fields()
		for j := range fields.Len() {
			x.key("input." + string(fields.Get(j).Name()))
		}
	}
}

// What the code writes as a literal has a text: choices, inputs, windows, words
// of facts, lines of the working.
func TestLocaleLiterals(t *testing.T) {
	x := localeTexts{t, localeCatalog(t)}
	// Functions and methods by name: which argument is what.
	calls := map[string]struct {
		arg  int
		what func(string)
	}{
		"Choice": {0, func(id string) { x.key("choice." + id) }}, "add": {0, func(id string) { x.key("choice." + id) }},
		"CharacterInput": {0, func(name string) { x.key("input." + name) }},
		"ChoiceInput":    {0, func(name string) { x.key("input." + name) }},
		"NumberInput":    {0, func(name string) { x.key("input." + name) }},
		"boolInput":      {0, func(name string) { x.key("input." + name) }},
		"squareInput":    {0, func(name string) { x.key("input." + name) }},
		"Note":           {0, x.word}, "Add": {0, x.word}, "Multiply": {0, x.word}, "Divide": {0, x.word}, "Clamp": {0, x.word},
		"Words": {3, x.word}, "Tell": {1, x.word}, "changeHP": {3, x.word}, "die": {2, x.word},
	}
	found := map[string]int{}
	eachNode(t, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.CallExpr:
			name := calledName(n)
			c, ok := calls[name]
			if !ok || len(n.Args) <= c.arg {
				return
			}
			if s, ok := literalOf(n.Args[c.arg]); ok {
				found[name]++
				c.what(s)
			}
		case *ast.CompositeLit:
			of, _ := n.Type.(*ast.SelectorExpr)
			for _, e := range n.Elts {
				kv, ok := e.(*ast.KeyValueExpr)
				if !ok {
					continue
				}
				key, _ := kv.Key.(*ast.Ident)
				s, isLiteral := literalOf(kv.Value)
				if key == nil || !isLiteral {
					continue
				}
				switch {
				case key.Name == "note":
					found["note"]++
					x.word(s)
				case of != nil && of.Sel.Name == "Input" && key.Name == "Name":
					found["Input"]++
					x.key("input." + s)
				case of != nil && of.Sel.Name == "Window" && key.Name == "Name":
					found["Window"]++
					x.key("prompt." + s)
				}
			}
		}
	})
	for _, name := range []string{"Choice", "add", "CharacterInput", "ChoiceInput", "NumberInput", "boolInput", "Note", "Words", "note", "Input", "Window"} {
		if found[name] == 0 {
			t.Errorf("no %s found: is this test still right?", name)
		}
	}
}

// eachNode walks the source of this package.
func eachNode(t *testing.T, visit func(ast.Node)) {
	t.Helper()
	files, err := fs.Glob(os.DirFS("."), "*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no source", err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool { visit(n); return true })
	}
}

func calledName(c *ast.CallExpr) string {
	switch f := c.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// literalOf is a string as it is written; of "parry."+id the part before the dot.
func literalOf(e ast.Expr) (string, bool) {
	if b, ok := e.(*ast.BinaryExpr); ok {
		s, ok := literalOf(b.X)
		return strings.TrimSuffix(s, "."), ok
	}
	b, ok := e.(*ast.BasicLit)
	if !ok || b.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(b.Value)
	return s, err == nil
}

// A text without any value must still be fit to be sent.
func TestLocaleWithoutValues(t *testing.T) {
	c := localeCatalog(t)
	for _, lang := range c.Languages() {
		for _, key := range c.Keys() {
			got := c.Text(key, lang, nil)
			if key == "event.check_resolved" || key == "event.defence_rolled" {
				continue // What was rolled and the grade are never hidden from those who are told.
			}
			if strings.ContainsAny(got, "{}[]") || strings.Contains(got, "  ") || strings.HasPrefix(got, "：") || strings.HasPrefix(got, "の") {
				t.Errorf("%s in %s: %q", key, lang, got)
			}
		}
	}
}

func localeName(c *locale.Catalog, lang string) func(string) string {
	return func(id string) string {
		if key := "name." + id; c.Has(key) {
			return c.Text(key, lang, nil)
		}
		return ""
	}
}

func localeParse[M proto.Message](t *testing.T, m M, text string) M {
	t.Helper()
	if err := prototext.Unmarshal([]byte(text), m); err != nil {
		t.Fatal(err)
	}
	return m
}

// Refusals with and without the name that was wrong, which offers do not have.
func TestLocaleErrors(t *testing.T) {
	c := localeCatalog(t)
	for _, tt := range []struct {
		reason string
		params map[string]string
		ja, en string
	}{
		{"BAD_TARGET", nil, "その対象は選べません。", "This target cannot be chosen."},
		{"BAD_TARGET", map[string]string{"value": "tug", "nearest": "thug"}, "「tug」は選べません。「thug」ではありませんか？", "“tug” cannot be chosen. Did you mean thug?"},
		{"NOT_APPROVED", nil, "キーパーの承認がまだのキャラクターがいます。", "A character is not yet approved by the keeper."},
		{"NOT_APPROVED", map[string]string{"value": "nurse"}, "「nurse」はまだキーパーに承認されていません。", "“nurse” is not yet approved by the keeper."},
		{"UNKNOWN_SKILL", map[string]string{"value": "spt", "nearest": "spot"}, "「spt」という技能はありません。「spot」ではありませんか？", "There is no skill “spt”. Did you mean spot?"},
		{"UNKNOWN_SKILL", nil, "その技能はありません。", "There is no such skill."},
	} {
		if ja, en := c.Error(tt.reason, "ja", tt.params), c.Error(tt.reason, "en", tt.params); ja != tt.ja || en != tt.en {
			t.Errorf("%s %v: %q, %q", tt.reason, tt.params, ja, en)
		}
	}
}

// Sentences as a table reads them, whole and with hidden facts.
func TestLocaleEvents(t *testing.T) {
	tests := []struct{ name, event, ja, en string }{
		{
			"attack roll",
			`name: "check_resolved" actor: "officer" targets: "thug" facts {key: "skill" words: "club"} facts {key: "value" number: 60}
			facts {key: "roll" number: 8} facts {key: "result" words: "success"} facts {key: "special" words: "special"} facts {key: "weapon" words: "baton"}`,
			"警官の〈棍棒〉（60）、ごろつきに：8 → 成功（スペシャル）",
			"Officer: Club (60) on Thug: 8, success (special).",
		},
		{
			"check with hidden value and die",
			`name: "check_resolved" actor: "thug" facts {key: "skill" words: "luck"} facts {key: "result" words: "fumble"}`,
			"ごろつきの〈幸運〉：ファンブル",
			"Thug: Luck: fumble.",
		},
		{
			"parry",
			`name: "defence_rolled" actor: "officer" facts {key: "skill" words: "club"} facts {key: "value" number: 30} facts {key: "roll" number: 3}
			facts {key: "result" words: "critical"} facts {key: "kind" words: "parry"} facts {key: "weapon" words: "baton"}`,
			"警官の警棒での受け流し（30）：3 → クリティカル",
			"Officer: Parry with Baton (30): 3, critical.",
		},
		{
			"dodge with hidden value",
			`name: "defence_rolled" actor: "thug" facts {key: "roll" number: 70} facts {key: "result" words: "failure"} facts {key: "kind" words: "dodge"}`,
			"ごろつきの回避：70 → 失敗",
			"Thug: Dodge: 70, failure.",
		},
		{
			"hit", `name: "attack_hit" actor: "officer" targets: "thug" facts {key: "weapon" words: "baton"}`,
			"警官の攻撃（警棒）がごろつきに命中！",
			"Officer: the attack with Baton hits Thug!",
		},
		{"hit on somebody unknown", `name: "attack_hit" actor: "officer"`, "警官の攻撃が命中！", "Officer: the attack hits!"},
		{
			"parried with the defender's weapon",
			`name: "attack_parried" actor: "thug" targets: "officer" facts {key: "weapon" of: "officer" words: "baton"}`,
			"ごろつきの攻撃は警官の警棒で受け流された。",
			"Thug: the attack is parried by Officer with Baton.",
		},
		{"avoided by somebody unknown", `name: "attack_avoided" actor: "officer"`, "警官の攻撃はかわされた。", "Officer: the attack is dodged."},
		{
			"damage",
			`name: "damage_rolled" actor: "officer" targets: "cultist" facts {key: "weapon" words: "baton"} facts {key: "dice" number: 5} facts {key: "db" number: 3}
			facts {key: "multiplier" words: "1/2"} facts {key: "armour" of: "cultist" number: 2} facts {key: "final" of: "cultist" number: 2}
			dice {sides: 6 faces: 5} dice {sides: 4 faces: 3}`,
			"警官が狂信者へのダメージを振った（警棒）：武器5、DB3、×1/2、装甲2 → 2点。",
			"Officer rolls damage with Baton on Cultist: weapon 5, DB 3, ×1/2, armour 2 → 2.",
		},
		{
			"damage whose dice came one by one", `name: "damage_rolled" actor: "officer" targets: "thug" facts {key: "weapon" words: "baton"} facts {key: "dice" number: 5} facts {key: "db" number: -1}
			facts {key: "multiplier" words: "1"} dice {sides: 6 faces: 5}`,
			"警官がごろつきへのダメージを振った（警棒）：武器5、DB-1、×1。",
			"Officer rolls damage with Baton on Thug: weapon 5, DB -1, ×1.",
		},
		{
			"damage of hidden dice", `name: "damage_rolled" actor: "thug" targets: "officer" facts {key: "weapon" words: "knife"} facts {key: "final" of: "officer" number: 3}`,
			"ごろつきが警官へのダメージを振った（ナイフ） → 3点。",
			"Thug rolls damage with Knife on Officer → 3.",
		},
		{
			"damage, all of it hidden", `name: "damage_rolled" actor: "thug" targets: "officer" facts {key: "weapon" words: "fist"}`,
			"ごろつきが警官へのダメージを振った（こぶし）。",
			"Thug rolls damage with Fist on Officer.",
		},
		{"damage of somebody unknown", `name: "damage_rolled" targets: "officer"`, "警官へのダメージを振った。", "Damage is rolled on Officer."},
		{
			"hit points", `name: "hp_changed" actor: "officer" facts {key: "delta" number: -3} facts {key: "hp" number: 11} facts {key: "cause" words: "damage"}`,
			"警官の耐久力が変化（ダメージ）：-3 → 残り11。",
			"Officer: hit points change (damage): -3, now 11.",
		},
		{
			"healing", `name: "hp_changed" actor: "officer" facts {key: "delta" number: 3} facts {key: "hp" number: 14} facts {key: "cause" words: "first_aid"}`,
			"警官の耐久力が変化（応急手当）：+3 → 残り14。",
			"Officer: hit points change (First Aid): +3, now 14.",
		},
		{
			"hidden hit points", `name: "hp_changed" actor: "thug" facts {key: "cause" words: "first_aid"}`,
			"ごろつきの耐久力が変化（応急手当）。",
			"Thug: hit points change (First Aid).",
		},
		{
			"shock roll", `name: "shock_rolled" actor: "nurse" facts {key: "skill" words: "con"} facts {key: "value" number: 55} facts {key: "roll" number: 56} facts {key: "result" words: "failure"}`,
			"看護師のショックロール（55）：56 → 失敗",
			"Nurse: shock roll (55): 56, failure.",
		},
		{"unconscious", `name: "fell_unconscious" actor: "nurse" facts {key: "cause" words: "shock"}`, "看護師は気絶した（ショック）。", "Nurse falls unconscious (shock)."},
		{"dying in combat", `name: "dying" actor: "student" facts {key: "until" number: 4}`, "学生は瀕死だ！　第4ラウンドの終わりまでに手当てが要る。", "Student is dying! Help is needed by the end of round 4."},
		{"dying", `name: "dying" actor: "student"`, "学生は瀕死だ！", "Student is dying!"},
		{
			"treated", `name: "wound_treated" actor: "nurse" targets: "officer" facts {key: "result" words: "success"} facts {key: "wound" of: "officer" number: 1} facts {key: "amount" of: "officer" number: 2}`,
			"看護師が警官の傷1を手当てした：成功、2点回復。",
			"Nurse treats wound 1 of Officer: success, 2 healed.",
		},
		{
			"treated in vain", `name: "wound_treated" actor: "nurse" targets: "officer" facts {key: "result" words: "failure"} facts {key: "wound" of: "officer" number: 1} facts {key: "amount" of: "officer" number: 0}`,
			"看護師が警官の傷1を手当てした：失敗、0点回復。",
			"Nurse treats wound 1 of Officer: failure, 0 healed.",
		},
		{
			"treated, amounts hidden", `name: "wound_treated" actor: "nurse" targets: "thug" facts {key: "result" words: "failure"}`,
			"看護師がごろつきの傷を手当てした：失敗。",
			"Nurse treats a wound of Thug: failure.",
		},
		{"treated by somebody unknown", `name: "wound_treated" targets: "thug"`, "ごろつきの傷を手当てした。", "Treatment of a wound of Thug."},
		{
			"weapon out of action", `name: "weapon_changed" actor: "officer" facts {key: "weapon" words: "baton"} facts {key: "state" words: "unusable"} facts {key: "until" number: 2}`,
			"警官の武器（警棒）の状態が変わった：使用不能（第2ラウンドまで）。",
			"Officer: the weapon (Baton) has changed: out of action until the end of round 2.",
		},
		{
			"weapon broken", `name: "weapon_changed" actor: "officer" facts {key: "weapon" words: "baton"} facts {key: "excess" number: 3} facts {key: "state" words: "broken"} facts {key: "durability" number: 0}`,
			"警官の武器（警棒）の状態が変わった：破損（耐久値0）（貫通3点）。",
			"Officer: the weapon (Baton) has changed: broken, durability 0, 3 coming through.",
		},
		{"weapon, durability hidden", `name: "weapon_changed" actor: "thug" facts {key: "weapon" words: "knife"}`, "ごろつきの武器（ナイフ）の状態が変わった。", "Thug: the weapon (Knife) has changed."},
		{"knocked down", `name: "condition_gained" actor: "thug" facts {key: "condition" words: "knocked_down"}`, "ごろつきに【転倒】がついた。", "Thug is now knocked down."},
		{
			"restricted", `name: "condition_gained" actor: "officer" facts {key: "condition" words: "restriction"} facts {key: "cause" words: "down"}`,
			"警官に【回避のみ】（転倒）がついた。",
			"Officer is now limited to dodging (knocked down).",
		},
		{"saved", `name: "condition_lost" actor: "student" facts {key: "condition" words: "dying"}`, "学生の【瀕死】が解けた。", "Student is no longer dying."},
		{"dedicated", `name: "dedicated" actor: "thug" facts {key: "kind" words: "dodge"}`, "ごろつきは回避に専念する。", "Thug dedicates the round to Dodge."},
		{"somebody dedicated", `name: "dedicated"`, "専念する。", "The round is dedicated to defence."},
		{
			"decided", `name: "prompt_answered" actor: "officer" targets: "thug" facts {key: "prompt" words: "defend"} facts {key: "choice" of: "thug" words: "dodge"}`,
			"ごろつきの判断が決まった（防御）：回避する。",
			"Thug has decided (defence): Dodge.",
		},
		{
			"decided by the GM", `name: "prompt_answered" facts {key: "prompt" words: "combat_continues"} facts {key: "choice" words: "continue"}`,
			"判断が決まった（戦闘状況確認）：続ける。",
			"It is decided (situation check): Go on.",
		},
		{"decided, all of it hidden", `name: "prompt_answered"`, "判断が決まった。", "It is decided."},
		{"unplaced", `name: "unplaced" actor: "thug"`, "ごろつきをマップから外した。", "Thug is taken off the map."},
		{"somebody unplaced", `name: "unplaced"`, "マップから外した。", "Somebody is taken off the map."},
		{"covered", `name: "covered" actor: "officer" targets: "student"`, "警官が学生をかばった！", "Officer steps in to cover Student!"},
		{
			"growth mark", `name: "growth_marked" actor: "nurse" facts {key: "kind" words: "initial_success"} facts {key: "source" words: "spot"}`,
			"看護師に成長チェック：〈目星〉（初期成功）。",
			"Nurse: growth mark for Spot Hidden (success at base value).",
		},
		{"order", `name: "initiative_set" facts {key: "order" characters: "nurse" characters: "thug"}`, "行動順が決まった：看護師、ごろつき。", "The order is settled: Nurse, Thug."},
		{
			"combat declared with notes", `name: "combat_declared" targets: "officer" targets: "thug" facts {key: "notes" text: "逃走不可"}`,
			"戦闘開始！　参加：警官、ごろつき。　逃走不可",
			"A fight begins! Officer, Thug. 逃走不可",
		},
		{"combat declared", `name: "combat_declared" facts {key: "notes" text: ""}`, "戦闘開始！", "A fight begins!"},
		{"step", `name: "step_changed" facts {key: "step" words: "shooting"}`, "―― 射撃行動 ――", "— Shooting —"},
		{"over", `name: "combat_ended" facts {key: "result" words: "pc"}`, "戦闘終了（勝者：探索者側）。", "The fight is over; winner: investigators."},
		{
			"special action", `name: "special_decided" actor: "student" facts {key: "notes" text: "砂を投げる"} facts {key: "uses" words: "attack"} facts {key: "decision" words: "check"}`,
			"学生の特殊行動「砂を投げる」（消費：攻撃） → 判定。",
			"Student: special action “砂を投げる” (uses: attack): a check.",
		},
	}
	tests = append(tests, creationSentences...)
	c := localeCatalog(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for lang, want := range map[string]string{"ja": tt.ja, "en": tt.en} {
				ev := localeParse(t, &tablev1.EventView{}, tt.event)
				view.Render(ev, lang, c, localeName(c, lang))
				if got := ev.GetText().GetText(); got != want {
					t.Errorf("%s: %q, want %q", lang, got, want)
				}
			}
		})
	}
}

// creationSentences tell of the making of an investigator.
var creationSentences = []struct{ name, event, ja, en string }{
	{
		"a reroll", `name: "rerolled" actor: "nurse" facts {key: "scope" words: "dex"} facts {key: "left" number: 2} facts {key: "dex" number: 7}`,
		"看護師の能力値を振り直した（DEX）、DEX 7（残り2回）。",
		"Nurse: rolled again (DEX), DEX 7 (left: 2).",
	},
	{
		"a reroll, the values hidden", `name: "rerolled" actor: "nurse" facts {key: "scope" words: "all"}`,
		"看護師の能力値を振り直した（すべて）。",
		"Nurse: rolled again (all).",
	},
	{"rolled, the values hidden", `name: "characteristics_rolled" actor: "nurse"`, "看護師の能力値を振った。", "Nurse: the characteristics are rolled."},
	{
		"swapped", `name: "swapped" actor: "nurse" facts {key: "scope" words: "str" words: "pow"} facts {key: "str" number: 8} facts {key: "pow" number: 14}`,
		"看護師のSTR、POWを入れ替えた、STR 8、POW 14。",
		"Nurse: STR, POW change places, STR 8, POW 14.",
	},
	{
		"derived", `name: "values_derived" actor: "nurse" facts {key: "hp" number: 13} facts {key: "damage_bonus" words: "+1D4"} facts {key: "minimum_age" number: 21}`,
		"看護師の派生値を計算した：耐久力13、DB+1D4、21歳以上。",
		"Nurse: derived values: hit points 13, damage bonus +1D4, at least 21 years old.",
	},
	{
		"an own occupation", `name: "occupation_set" actor: "nurse" facts {key: "notes" text: "海女"} facts {key: "skills" words: "swim" words: "spot"}`,
		"看護師の職業が決まった：海女（水泳、目星）。",
		"Nurse: occupation: 海女 (Swim, Spot Hidden).",
	},
	{
		"points", `name: "points_assigned" actor: "nurse" facts {key: "skill" words: "spot"} facts {key: "value" number: 80} facts {key: "pool" words: "personal"} facts {key: "points" number: 55} facts {key: "left" number: 75}`,
		"看護師が技能〈目星〉にポイントを割り振った：55点（趣味、残り75点） → 80。",
		"Nurse: Spot Hidden has new points: 55 (personal, left: 75), now 80.",
	},
	{
		"points, as others see it", `name: "points_assigned" actor: "nurse" facts {key: "skill" words: "spot"} facts {key: "value" number: 80}`,
		"看護師が技能〈目星〉にポイントを割り振った → 80。",
		"Nurse: Spot Hidden has new points, now 80.",
	},
	{"a trait", `name: "trait_added" actor: "nurse" facts {key: "trait" words: "keen_eye"}`, "看護師の特徴：鋭い目。", "Nurse: trait: keen eye."},
	{
		"a special scenario", `name: "scenario_started" facts {key: "overrides" words: "rerolls_all"} facts {key: "limits" words: "2"}`,
		"シナリオ開始。　探索者の作成：全体振り直し（2）。",
		"A scenario begins. For the making of investigators: rerolls of the whole set (2).",
	},
	{"a scenario", `name: "scenario_started"`, "シナリオ開始。", "A scenario begins."},
	{
		"taken by the keeper", `name: "confiscated" actor: "nurse" facts {key: "kind" words: "artifact"} facts {key: "notes" text: "鏡"}`,
		"看護師の持ち物が没収された：AF「鏡」。",
		"Nurse: taken by the keeper: artifact “鏡”.",
	},
}

func TestLocalePrompts(t *testing.T) {
	tests := []struct{ name, prompt, ja, en string }{
		{
			"defend",
			`name: "defend" character: "officer" about: "officer" because_of: "thug" facts {key: "weapon" of: "thug" words: "knife"} facts {key: "result" of: "thug" words: "success"}
			choices {id: "none"} choices {id: "dodge"} choices {id: "parry.baton"} choices {id: "parry.fist" reason: "CANNOT_PARRY"}`,
			"警官：ごろつきのナイフでの攻撃が来ます（成功）。どう防ぎますか？ 防御しない/回避する/警棒で受け流す/こぶしで受け流す（この攻撃は、その武器では受け流せません。）",
			"Officer: Thug attacks with Knife (success). How do you defend? Don't defend/Dodge/Parry with Baton/Parry with Fist（This attack cannot be parried with that weapon.）",
		},
		{"defend, attacker unknown", `name: "defend" character: "officer"`, "警官：攻撃が来ます。どう防ぎますか？", "Officer: an attack is coming. How do you defend?"},
		{
			"cover", `name: "cover" character: "officer" about: "student" because_of: "thug" choices {id: "cover"} choices {id: "decline"}`,
			"警官：ごろつきの攻撃から学生をかばいますか？ かばう/かばわない",
			"Officer: do you cover Student against Thug? Cover/Don't cover",
		},
		{
			"special action", `name: "allow_special" about: "student" because_of: "student" facts {key: "notes" text: "砂を投げる"} facts {key: "uses" words: "none"} choices {id: "check"}`,
			"学生の特殊行動「砂を投げる」（消費：なし）を認めますか？ 判定で決める",
			"Student: special action “砂を投げる” (uses: none). Is it allowed? Ask for a roll",
		},
		{
			"stray blow", `name: "fumble_victim" about: "officer" because_of: "officer" choices {id: "officer"} choices {id: "nurse"}`,
			"警官の攻撃が逸れました。誰に当たりますか？ 警官/看護師",
			"Officer: the blow goes astray. Whom does it strike? Officer/Nurse",
		},
	}
	c := localeCatalog(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for lang, want := range map[string]string{"ja": tt.ja, "en": tt.en} {
				p := localeParse(t, &tablev1.PromptView{}, tt.prompt)
				view.RenderPrompt(p, lang, c, localeName(c, lang))
				var choices []string
				for _, ch := range p.Choices {
					text := ch.Text
					if ch.ReasonText != "" {
						text += "（" + ch.ReasonText + "）"
					}
					choices = append(choices, text)
				}
				if got := strings.TrimSpace(p.Text.Text + " " + strings.Join(choices, "/")); got != want {
					t.Errorf("%s: %q, want %q", lang, got, want)
				}
			}
		})
	}
}

// The buttons of a table in combat and outside.
func TestLocaleOffers(t *testing.T) {
	c, r := localeCatalog(t), localeRules(t)
	s := &tablev1.State{}
	for _, id := range []string{"nurse", "officer", "thug"} {
		ch, err := r.FromSample(id)
		if err != nil {
			t.Fatal(err)
		}
		s.Characters = append(s.Characters, ch)
	}
	officer := s.Characters[1]
	officer.Review = tablev1.Review_REVIEW_SUBMITTED
	officer.Statuses = append(officer.Statuses, status(stPlus10, nil))
	details(officer).Wounds = []*cocv1.Wound{{Id: 1, Amount: 2}}
	weaponOf(officer, "handgun").InHand = false
	v := &rule.View{State: s, Options: r.Options, Seat: rule.Seat{GM: true, Characters: []string{"nurse", "officer"}}}
	roster := []string{"officer", "nurse", "thug"}
	got := map[string][]string{}
	for _, e := range []*tablev1.Encounter{
		nil,
		{Roster: roster, Order: roster, Turn: []string{"officer"}, Round: 1, Step: stepActions},
		{Roster: roster, Order: roster, Turn: []string{"officer"}, Round: 1, Step: stepShooting},
	} {
		s.Encounter = e
		for _, a := range r.Actions() {
			by := "officer"
			if a.Table {
				by = ""
			}
			for _, o := range a.Offers(v, by) {
				for _, lang := range c.Languages() {
					out := view.Offer(o, lang, c, localeName(c, lang))
					got[lang] = append(got[lang], out.Text)
					if strings.ContainsAny(out.Text, "._") || out.Text == "" || strings.HasPrefix(out.ReasonText, "error.") {
						t.Errorf("%s: %q %q", lang, out.Text, out.ReasonText)
					}
					for _, in := range out.Inputs {
						if !c.Has("input." + in.Name) {
							t.Errorf("no text input.%s", in.Name)
						}
					}
				}
			}
		}
	}
	for lang, want := range map[string][]string{
		"ja": {
			"警棒で攻撃", "こぶしで攻撃", "拳銃で射撃", "拳銃を構える", "移動", "回避に専念", "受け流しに専念", "特殊行動（消費：攻撃）",
			"応急手当（警官、1番の傷）", "医学で治療（警官、1番の傷）", "手番を終える", "待機", "〈目星〉で判定", "〈STR〉で判定",
			"戦闘を始める", "戦闘を終える", "警官を承認", "警官を却下", "看護師にRPボーナス",
		},
		"en": {
			"Attack with Baton", "Shoot with Handgun", "Draw Handgun", "Move", "Dedicate the round to Dodge", "Special action (uses: none)",
			"First Aid on Officer (wound 1)", "End turn", "Wait", "Roll Spot Hidden", "Start combat", "Approve Officer", "Roleplay bonus for Nurse",
		},
	} {
		for _, w := range want {
			if !slices.Contains(got[lang], w) {
				t.Errorf("%s: no button %q among %q", lang, w, got[lang])
			}
		}
	}
}
