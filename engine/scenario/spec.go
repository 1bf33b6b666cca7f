package scenario

import "strings"

// Rule is a rule of a specification.
type Rule struct {
	// ID, for example "COC-ATK-01".
	ID string
	// Title is what the heading says after it.
	Title string
}

// Spec reads the rules and the worked examples of a specification, in the order
// in which they stand. A rule is a heading of the third level that begins with an
// id ("### COC-ATK-01 Attack"), an example a list item that does in bold
// ("- **EX-COC-ATK-01-1** ..."). What stands twice counts once.
func Spec(markdown string) (rules []Rule, examples []string) {
	seen := make(map[string]bool)
	fenced := false
	for line := range strings.Lines(markdown) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if fenced {
			continue
		}
		if heading, ok := strings.CutPrefix(line, "### "); ok {
			id, title, _ := strings.Cut(strings.TrimSpace(heading), " ")
			if isID(id) && !seen[id] {
				seen[id] = true
				rules = append(rules, Rule{ID: id, Title: strings.TrimSpace(title)})
			}
		}
		if item, ok := strings.CutPrefix(line, "- **EX-"); ok {
			id, _, closed := strings.Cut(item, "**")
			if id = "EX-" + id; closed && isID(id) && !seen[id] {
				seen[id] = true
				examples = append(examples, id)
			}
		}
	}
	return rules, examples
}

// isID reports whether a word is an id: capitals, digits and dashes, a number
// after the last dash.
func isID(word string) bool {
	for _, c := range []byte(word) {
		if c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	i := strings.LastIndexByte(word, '-')
	return i > 0 && i < len(word)-1 && strings.Trim(word[i+1:], "0123456789") == ""
}
