package persona_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

var ticked = regexp.MustCompile("`[^`]+`")

// governed reads what the rows of "Who sees what" govern, each with the number of its
// row. Nothing may stand in two rows.
func governed(t *testing.T) map[string]int {
	t.Helper()
	text, err := os.ReadFile("RULES.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n### Who sees what\n")
	section, _, _ = strings.Cut(section, "\n## ")
	out, n := map[string]int{}, 0
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| fact ") {
			continue
		}
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 7 {
			t.Fatalf("a row of %d cells: %s", len(cells)-2, line)
		}
		n++
		for _, k := range ticked.FindAllString(cells[5], -1) {
			k = strings.Trim(k, "`")
			if out[k] != 0 {
				t.Errorf("%s stands in two rows", k)
			}
			out[k] = n
		}
	}
	if n == 0 {
		t.Fatal("RULES.md lacks the table Who sees what")
	}
	return out
}

// Every fact and every field of a sheet and the table stands in the table; what is
// narrower than its message stands in another row than the rest of it.
func TestWhoSeesWhatIsWhole(t *testing.T) {
	rows := governed(t)
	facts := personav1.FactKey(0).Descriptor().Values()
	for i := 1; i < facts.Len(); i++ {
		key := strings.ToLower(strings.TrimPrefix(string(facts.Get(i).Name()), "FACT_KEY_"))
		found := rows[key] != 0
		for k := range rows {
			found = found || strings.HasSuffix(k, "."+key) && k == strings.ToLower(k)
		}
		if !found {
			t.Errorf("the fact %s stands in no row", key)
		}
	}
	seen := map[protoreflect.FullName]bool{}
	var walk func(d protoreflect.MessageDescriptor)
	walk = func(d protoreflect.MessageDescriptor) {
		if seen[d.FullName()] || !strings.HasPrefix(string(d.FullName()), "hantei.persona.") {
			return
		}
		seen[d.FullName()] = true
		for i := range d.Fields().Len() {
			f := d.Fields().Get(i)
			if m := f.Message(); m != nil && m.FullName() != "hantei.type.v1.Square" {
				walk(m)
				continue
			}
			if name := string(d.Name()) + "." + string(f.Name()); rows[name] == 0 {
				t.Errorf("the field %s stands in no row", name)
			}
		}
	}
	walk((&personav1.Details{}).ProtoReflect().Descriptor())
	if len(seen) < 20 {
		t.Errorf("only %d messages reached", len(seen))
	}
	power := (&personav1.Battle{}).ProtoReflect().Descriptor().Fields().ByName("power")
	if proto.GetExtension(power.Options(), typev1.E_See) != typev1.Audience_AUDIENCE_GM || rows["Battle.power"] == rows["Battle.result"] {
		t.Error("the enemy's power is not narrower than the battle")
	}
}
