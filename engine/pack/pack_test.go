package pack_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/pack"
)

type row struct {
	ID     string           `yaml:"id"`
	Base   string           `yaml:"base"`
	Range  int32            `yaml:"range"`
	Melee  bool             `yaml:"melee"`
	Tags   []string         `yaml:"tags"`
	Skills map[string]int32 `yaml:"skills"`
}

func file(text string) pack.File { return pack.File{Name: "weapons.yaml", Text: []byte(text)} }

func TestRows(t *testing.T) {
	rows, errs := pack.Rows[row](file(`# weapons
- {id: fist, base: "50", tags: [arm]}

- id: knife
  base: dex*2
  range: -3
  melee: true
  skills: {dodge: 30}
`))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	want := []pack.Row[row]{
		{Value: row{ID: "fist", Base: "50", Tags: []string{"arm"}}, File: "weapons.yaml", Line: 2},
		{Value: row{ID: "knife", Base: "dex*2", Range: -3, Melee: true, Skills: map[string]int32{"dodge": 30}}, File: "weapons.yaml", Line: 4},
	}
	if !reflect.DeepEqual(rows, want) {
		t.Errorf("%+v\nwant %+v", rows, want)
	}
}

func TestRowsOfNothing(t *testing.T) {
	for _, text := range []string{"", "\n", "# nothing\n", "[]"} {
		if rows, errs := pack.Rows[row](file(text)); len(rows) > 0 || len(errs) > 0 {
			t.Errorf("%q: %v, %v", text, rows, errs)
		}
	}
}

func TestRowsWithErrors(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string // file:line, and a part of the message
		left       []string // ids of the rows that are read all the same
	}{
		{"an unknown key", "- {id: a}\n- {id: b, bass: 1}\n", []string{`2: unknown field "bass" (did you mean "base"?)`}, []string{"a"}},
		{"an unknown key that is near to none", "- {id: a, colour: red}\n", []string{`1: unknown field "colour"`}, nil},
		{"a doubled key", "- {id: a}\n- id: b\n  id: c\n", []string{"3: "}, nil},
		{"a value of another type", "- {id: a, range: far}\n- {id: b}\n", []string{"1: "}, []string{"b"}},
		{"a number with a point", "- {id: a, range: 1.5}\n", []string{"1: 1.5 is no whole number"}, nil},
		{"a number that no int32 holds", "- {id: a, range: 99999999999}\n", []string{"1: "}, nil},
		{"a number for yes or no", "- {id: a, melee: 1}\n", []string{"1: "}, nil},
		{"no row", "- a\n- {id: b}\n", []string{"1: "}, []string{"b"}},
		{"a line of a long row", "- id: a\n  base: x\n  range: far\n", []string{"3: "}, nil},
		{"no list", "id: a\n", []string{"1: a table is one list of rows"}, nil},
		{"two documents", "- {id: a}\n---\n- {id: b}\n", []string{"1: a table is one list of rows"}, nil},
		{"no YAML", "- {id: a\n", []string{": "}, nil},
		{
			"all at once", "- {id: a, bass: 1}\n- {id: b}\n- {id: c, range: far}\n- {id: d, tagg: 1}\n",
			[]string{`1: unknown field "bass"`, "3: ", `4: unknown field "tagg" (did you mean "tags"?)`}, []string{"b"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, errs := pack.Rows[row](file(c.text))
			if len(errs) != len(c.want) {
				t.Fatalf("%d errors: %v", len(errs), errs)
			}
			for i, e := range errs {
				if !strings.HasPrefix(e.Error(), "weapons.yaml:") || !strings.Contains(e.Error(), c.want[i]) {
					t.Errorf("error %d: %v, want %s", i, e, c.want[i])
				}
			}
			var left []string
			for _, r := range rows {
				left = append(left, r.Value.ID)
			}
			if !slices.Equal(left, c.left) {
				t.Errorf("rows %v, want %v", left, c.left)
			}
		})
	}
}

func TestErrorsAreLines(t *testing.T) {
	_, errs := pack.Rows[row](file("- {id: a, bass: 1}\n- {id: b, rang: 1}\n"))
	var err error = errs
	var all pack.Errors
	if !errors.As(err, &all) || len(strings.Split(err.Error(), "\n")) != 2 {
		t.Errorf("%v", err)
	}
}

func TestUnique(t *testing.T) {
	rows, _ := pack.Rows[row](file("- {id: a}\n- {id: b}\n- {id: a}\n- {id: a}\n"))
	errs := pack.Unique(rows, func(r row) string { return r.ID })
	if len(errs) != 2 || errs[0].Error() != `weapons.yaml:3: "a" is already on line 1` || errs[1].Line != 4 {
		t.Errorf("%v", errs)
	}
	if errs := pack.Unique(rows[:2], func(r row) string { return r.ID }); len(errs) > 0 {
		t.Errorf("%v", errs)
	}
}

// The hash is that of the content: whatever is other is another pack.
func TestHash(t *testing.T) {
	two := func(a, b string) []pack.File {
		return []pack.File{{Name: "a.yaml", Text: []byte(a)}, {Name: "b.yaml", Text: []byte(b)}}
	}
	const want = "6e9aaa1c3e2b3787a162333ce6584ecbc50a942ea837768b2583f76bdf405450"
	if got := pack.Hash(two("- 1", "- 2")); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	seen := map[string]string{}
	for name, files := range map[string][]pack.File{
		"none":             nil,
		"two":              two("- 1", "- 2"),
		"one letter more":  two("- 1", "- 22"),
		"a comment":        two("- 1", "- 2 # x"),
		"changed places":   two("- 2", "- 1"),
		"moved over":       two("- 1-", " 2"),
		"one empty":        two("- 1- 2", ""),
		"another name":     {{Name: "a.yaml", Text: []byte("- 1")}, {Name: "c.yaml", Text: []byte("- 2")}},
		"in another order": {{Name: "b.yaml", Text: []byte("- 2")}, {Name: "a.yaml", Text: []byte("- 1")}},
		"only the first":   two("- 1", "- 2")[:1],
	} {
		h := pack.Hash(files)
		if other, ok := seen[h]; ok {
			t.Errorf("%s has the hash of %s", name, other)
		}
		seen[h] = name
	}
}

func TestMerge(t *testing.T) {
	files := []pack.File{
		{Name: "skills.yaml", Text: []byte("- {id: dodge}\n")},
		{Name: "weapons.yaml", Text: []byte("# old\n- {id: fist, base: \"50\", tags: [arm]}\n- {id: knife, base: dex*2, range: 1}\n")},
	}
	old := slices.Clone(files[1].Text)
	for _, c := range []struct {
		name, rows string
		want       []row
	}{
		{"nothing", "", []row{{ID: "fist", Base: "50", Tags: []string{"arm"}}, {ID: "knife", Base: "dex*2", Range: 1}}},
		{"no rows", "weapons: []", []row{{ID: "fist", Base: "50", Tags: []string{"arm"}}, {ID: "knife", Base: "dex*2", Range: 1}}},
		{"a row more", "weapons: [{id: sword, base: '007'}]", []row{{ID: "fist", Base: "50", Tags: []string{"arm"}}, {ID: "knife", Base: "dex*2", Range: 1}, {ID: "sword", Base: "007"}}},
		{"a row is replaced whole, in its place", "weapons: [{id: fist, range: 2}]", []row{{ID: "fist", Range: 2}, {ID: "knife", Base: "dex*2", Range: 1}}},
		{"the last of two rows stands", "weapons: [{id: bow, range: 1}, {range: 2, id: bow}]", []row{{ID: "fist", Base: "50", Tags: []string{"arm"}}, {ID: "knife", Base: "dex*2", Range: 1}, {ID: "bow", Range: 2}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			merged, err := pack.Merge(files, []byte(c.rows))
			if err != nil {
				t.Fatal(err)
			}
			rows, errs := pack.Rows[row](merged[1])
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			var got []row
			for _, r := range rows {
				got = append(got, r.Value)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("%+v\nwant %+v", got, c.want)
			}
			if !bytes.Equal(merged[0].Text, files[0].Text) || !bytes.Equal(files[1].Text, old) {
				t.Error("another table, or the old pack, was written")
			}
		})
	}
	for name, rows := range map[string]string{
		"an unknown table": "wepons: [{id: a}]",
		"no table":         "[a]",
		"no list":          "weapons: {id: a}",
		"no YAML":          "weapons: [",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := pack.Merge(files, []byte(rows)); err == nil {
				t.Error("merged")
			}
		})
	}
}

func ExampleErrors() {
	_, errs := pack.Rows[row](file("- {id: a, bass: 1}\n- {id: b, range: far}\n"))
	fmt.Println(errs[0])
	// Output: weapons.yaml:1: unknown field "bass" (did you mean "base"?)
}
