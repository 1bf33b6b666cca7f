package transcript_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hantei/hantei/engine/coc"
	"github.com/hantei/hantei/engine/locale"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/scenario"
	"github.com/hantei/hantei/engine/transcript"
)

func maker(_ string, _ []byte) (*rule.Ruleset, error) { return coc.New(coc.DefaultPack()) }

// texts are those of coc and of what is told in these tests.
func texts(t *testing.T) *locale.Catalog {
	t.Helper()
	rules, err := maker("", nil)
	if err != nil {
		t.Fatal(err)
	}
	own := func(lang string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("title: Title-" + lang + "\nabout: About\nscene: {one: One, one.about: It begins., two: Two, two.about: It goes on.}\n")}
	}
	c, err := locale.Load(locale.Core(), rules.Locale, fstest.MapFS{"en.yaml": own("en"), "ja.yaml": own("ja")})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// tell tells a file that has these entries.
func tell(t *testing.T, lang, seat, play string) string {
	t.Helper()
	var b strings.Builder
	f, err := scenario.Parse("test.yaml", []byte(play))
	if err != nil {
		t.Fatal(err)
	}
	teller := transcript.New(&b, f, texts(t), lang, seat)
	if err := scenario.Run(f, maker, scenario.Options{Tell: teller.Tell}).Err(); err != nil {
		t.Fatal(err)
	}
	if err := teller.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const fight = `id: T-1
rule: [COC-ATK-01]
ruleset: coc
untold: [turn_started, turn_ended]
given:
  characters: [{sample: officer}, {sample: nurse}, {sample: thug}]
  encounter: {order: [thug, officer, nurse], round: 1}
play:
  - scene: one
    by: thug
    act: {coc: {attack: {weapon: knife, target: nurse}}}
    dice: ["1D100=20", "1D4=2", "1D4=1"]
    answers:
      - {prompt: cover, by: officer, choose: decline}
  - {by: thug, act: {coc: {end_turn: {}}}}
  - {scene: two, by: officer, act: {coc: {attack: {weapon: baton, target: officer}}}, error: BAD_TARGET}
  - {by: officer, seat: gm, act: {coc: {check: {skill: luck}}}, audience: gm, dice: ["1D100=96"]}
  - {by: nurse, roll: 1D6, dice: ["1D6=4"]}
`

func TestTell(t *testing.T) {
	for _, c := range []struct{ lang, seat, want string }{
		{"en", "", `Title-en
About

== Scene 1: One ==
It begins.
> Keeper (Thug): Attack with Knife — Target: Nurse
    Thug: Knife (50) on Nurse: 20, success.
  ? Officer: do you cover Nurse against Thug?  [Cover / Don't cover] → Don't cover
  ? Nurse: Thug attacks with Knife (success). How do you defend?
      [Don't defend / Dodge] → Don't defend
    Thug: the attack with Knife hits Nurse!
    Thug rolls damage with Knife on Nurse: weapon 2, DB 1, ×1, armour 0 → 3.  [1D4=2, 1D4=1]
    Nurse: hit points change (damage): -3, now 8.
    Nurse is wounded (wound 1: 3).

== Scene 2: Two ==
It goes on.
> Officer: Attack with Baton — Target: Officer
    ! “officer” cannot be chosen. (COC-ATK-01)
> Keeper (Officer): Roll Luck
    Officer: Luck (55): 96, fumble.  (Keeper only)
    Officer: growth mark for Luck (fumble).  (Keeper only)
  ? Officer: a fumble with Luck. What comes of it?  [Nothing / Write the effect]
    Nurse: 1D6 (1D6=4) → 4
`},
		{"en", "gm", `Title-en
About

== Scene 1: One ==
It begins.
> Keeper (Thug): Attack with Knife — Target: Nurse
    Thug: Knife (50) on Nurse: 20, success.
    A decision is open: cover (Officer).
    Officer has decided (cover): Don't cover.
    A decision is open: defence (Nurse).
    Nurse has decided (defence): Don't defend.
    Thug: the attack with Knife hits Nurse!
    Thug rolls damage with Knife on Nurse: weapon 2, DB 1, ×1, armour 0 → 3.  [1D4=2, 1D4=1]
    Nurse: hit points change (damage): -3, now 8.
    Nurse is wounded (wound 1: 3).

== Scene 2: Two ==
It goes on.
> Keeper (Officer): Roll Luck
    Officer: Luck (55): 96, fumble.  (Keeper only)
    Officer: growth mark for Luck (fumble).  (Keeper only)
  ? Officer: a fumble with Luck. What comes of it?  [Nothing / Write the effect]
    Nurse: 1D6 (1D6=4) → 4
`},
		// The value is an NPC's, and the secret roll the keeper's.
		{"en", "officer", `Title-en
About

== Scene 1: One ==
It begins.
    Thug: Knife on Nurse: 20, success.
  ? Officer: do you cover Nurse against Thug?  [Cover / Don't cover] → Don't cover
    A decision is open: defence (Nurse).
    Nurse has decided (defence).
    Thug: the attack with Knife hits Nurse!
    Thug rolls damage with Knife on Nurse: weapon 2, DB 1, ×1, armour 0 → 3.  [1D4=2, 1D4=1]
    Nurse: hit points change (damage): -3, now 8.
    Nurse is wounded (wound 1: 3).

== Scene 2: Two ==
It goes on.
> Officer: Attack with Baton — Target: Officer
    ! “officer” cannot be chosen. (COC-ATK-01)
    Nurse: 1D6 (1D6=4) → 4
`},
		{"ja", "officer", `Title-ja
About

== シーン1　One ==
It begins.
    ごろつきの〈ナイフ〉、看護師に：20 → 成功
  ? 警官：ごろつきの攻撃から看護師をかばいますか？  [かばう / かばわない] → かばわない
    判断待ち：防御（看護師）。
    看護師の判断が決まった（防御）。
    ごろつきの攻撃（ナイフ）が看護師に命中！
    ごろつきが看護師へのダメージを振った（ナイフ）：武器2、DB1、×1、装甲0 → 3点。  [1D4=2, 1D4=1]
    看護師の耐久力が変化（ダメージ）：-3 → 残り8。
    看護師が負傷した（傷1：3点）。

== シーン2　Two ==
It goes on.
> 警官：警棒で攻撃　対象：警官
    ! 「officer」は選べません。（COC-ATK-01）
    看護師：1D6（1D6=4） → 4
`},
	} {
		t.Run(c.lang+" "+c.seat, func(t *testing.T) {
			if got := tell(t, c.lang, c.seat, fight); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// What is only sent typed is told by its name, and what is still open at the end
// without an answer.
func TestTellTyped(t *testing.T) {
	const play = `id: T-1
rule: [COC-CMB-02]
ruleset: coc
given: {characters: [{sample: officer}, {sample: thug, id: big}]}
play:
  - {by: gm, act: {coc: {start_combat: {combatants: [officer, big]}}}, dice: ["1D100=5", "1D100=6"]}
  - {by: officer, act: {coc: {check: {skill: spot}}}, dice: ["1D100=2"]}
`
	const want = `Title-en
About
> Keeper: Start combat
    A fight begins! Officer, Thug.
    — Combat declaration —
    — DEX check —
    initiative: 1D100=5, 1D100=6
    The order is settled: Officer, Thug.
    — Round declaration —
    Round 1 begins.
    — Shooting —
    Next to act: Officer.
> Officer: Roll Spot Hidden
    Officer: Spot Hidden (60): 2, critical.
    Officer: growth mark for Spot Hidden (critical).
  ? Officer: a critical with Spot Hidden. What does it bring?  [Information / A +10 right / Nothing]
`
	if got := tell(t, "en", "", play); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

type full struct{}

var errFull = errors.New("full")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestTellFails(t *testing.T) {
	f, err := scenario.Parse("test.yaml", []byte(fight))
	if err != nil {
		t.Fatal(err)
	}
	for seat, want := range map[string]string{
		"oficer":   `no seat "oficer"; did you mean "officer"?`,
		"thug":     `no seat "thug"; there are: gm, observer, nurse, officer`,
		"observer": "full",
	} {
		teller := transcript.New(full{}, f, texts(t), "en", seat)
		scenario.Run(f, maker, scenario.Options{Tell: teller.Tell})
		if err := teller.Close(); err == nil || err.Error() != want {
			t.Errorf("%s: %v, not %s", seat, err, want)
		}
	}
}

// What exactly is wrong is told with the refusal.
func TestTellDetail(t *testing.T) {
	const play = `id: T-2
rule: [COC-SAN-01]
ruleset: coc
given:
  characters: [{sample: nurse}]
play:
  - {by: gm, act: {coc: {san_check: {targets: [nurse], loss: 2/1D}}}, error: INVALID_FIELD}
`
	for lang, want := range map[string]string{
		"en": "must be a loss such as “1/1D6”, not “2/1D”",
		"ja": "減少は「1/1D6」のように書いてください。「2/1D」は読めません",
	} {
		if got := tell(t, lang, "", play); !strings.Contains(got, want) {
			t.Errorf("%s: got\n%s\nwant %s", lang, got, want)
		}
	}
}
